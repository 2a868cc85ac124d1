package dev.runyard.runner.backend;

import dev.runyard.runner.backend.SecretSearch.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds digits of secrets, in base64 or hexadecimal, however programs break them into lines: they
/// are compared as if the gaps were not there. Only what surrounds a line end or a backslash is
/// looked at, so that a text which has no such digits costs little more than to look for those.
final class WrappedForms {
  /// How much may be between two digits of a secret: line ends, what indents the next line, and
  /// these as JSON escapes them. Text is held back for at most so much after each digit.
  static final int GAP_CHARS_MAX = 32;

  /// What a gap begins with.
  private static final char[] BEGINNINGS = {'\n', '\r', '\\'};

  /// The digits of hexadecimal numbers and of both kinds of base64.
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";

  private static final boolean[] DIGITS = digits();

  private final KnownForms known = new KnownForms();

  void add(Form form) {
    known.add(form);
  }

  /// Where digits begin that gaps divide.
  ///
  /// @param more whether text may follow that belongs to it
  Places in(String text, boolean more) {
    Places places = new Places();
    if (known.isEmpty()) {
      return places;
    }
    Gaps gaps = new Gaps(text);
    int gap = gaps.next(0);
    if (gap == text.length()) {
      return places;
    }
    Run run = new Run(text);
    for (int from = 0; gap < text.length(); gap = gaps.next(from)) {
      from = run.read(run.start(from, gap));
      search(run, more, places);
    }
    return places;
  }

  private void search(Run run, boolean more, Places places) {
    String digits = run.digits;
    int n = digits.length();
    int unsure = more && run.open ? known.unsure(n) : n;
    int last = n - KnownForms.WINDOW;
    int hash = last < 0 ? 0 : KnownForms.hash(digits, 0);
    for (int at = 0; at <= last; at++) {
      if (known.mayBegin(hash)) {
        find(run, at, hash, unsure, places);
      }
      hash = at < last ? KnownForms.moved(hash, digits, at) : hash;
    }
    for (int at = Math.max(unsure, last + 1); at < n; at++) {
      if (known.isBeginning(digits, at)) {
        places.add(new Place(run.places[at], null));
      }
    }
  }

  private void find(Run run, int at, int hash, int unsure, Places places) {
    if (at >= unsure && known.begins(run.digits, at, hash)) {
      places.add(new Place(run.places[at], null));
      return;
    }
    Form form = known.at(run.digits, at, hash);
    if (form != null) {
      int end = run.places[at + form.text().length() - 1] + 1;
      String text = run.text.substring(run.places[at], end);
      places.add(new Place(run.places[at], new Form(text, form.secret())));
    }
  }

  private static boolean isDigit(char c) {
    return c < DIGITS.length && DIGITS[c];
  }

  private static boolean[] digits() {
    boolean[] digits = new boolean[Byte.MAX_VALUE + 1];
    ALPHABET.chars().forEach(c -> digits[c] = true);
    return digits;
  }

  /// Where digits of a secret begin.
  ///
  /// @param form what is there, with its gaps; null if it may go on after the text's end
  record Place(int start, @Nullable Form form) {}

  /// Places in their order, asked for in that order.
  static final class Places {
    private final List<Place> all = new ArrayList<>(0);
    private int next;

    private void add(Place place) {
      all.add(place);
    }

    /// What begins here; null if nothing does.
    @Nullable Place at(int start) {
      while (next < all.size() && all.get(next).start() < start) {
        next++;
      }
      return next < all.size() && all.get(next).start() == start ? all.get(next) : null;
    }
  }

  /// Where gaps may begin. Each character is looked for apart, which the JVM does in a few steps
  /// for many characters of a text.
  private static final class Gaps {
    private final String text;
    private final int[] next = new int[BEGINNINGS.length];

    Gaps(String text) {
      this.text = text;
      for (int i = 0; i < BEGINNINGS.length; i++) {
        next[i] = find(i, 0);
      }
    }

    /// The first place from here on; the text's length if there is none.
    int next(int from) {
      int first = text.length();
      for (int i = 0; i < BEGINNINGS.length; i++) {
        next[i] = next[i] < from ? find(i, from) : next[i];
        first = Math.min(first, next[i]);
      }
      return first;
    }

    private int find(int which, int from) {
      int found = text.indexOf(BEGINNINGS[which], from);
      return found < 0 ? text.length() : found;
    }
  }

  /// Digits one after another, without the gaps between them.
  private static final class Run {
    private static final int PLACES = 64;

    private final String text;
    private char[] read = new char[PLACES];
    private int[] places = new int[PLACES];
    private String digits = "";

    /// Whether the text's end is the run's.
    private boolean open;

    Run(String text) {
      this.text = text;
    }

    /// Where the digits before a gap begin.
    int start(int from, int gap) {
      int start = gap;
      while (start > from && isDigit(text.charAt(start - 1))) {
        start--;
      }
      return start;
    }

    /// Reads digits and gaps.
    ///
    /// @return where they end
    int read(int start) {
      int at = start;
      int gap = 0;
      int count = 0;
      while (at < text.length() && gap <= GAP_CHARS_MAX) {
        if (isDigit(text.charAt(at))) {
          put(count++, at++);
          gap = 0;
          continue;
        }
        int skipped = skipped(at, gap > 0);
        if (skipped == 0) {
          break;
        }
        at += skipped;
        gap += skipped;
      }
      digits = new String(read, 0, count);
      open = at == text.length() && gap <= GAP_CHARS_MAX;
      return at;
    }

    private void put(int index, int at) {
      if (index == places.length) {
        places = Arrays.copyOf(places, index * 2);
        read = Arrays.copyOf(read, index * 2);
      }
      places[index] = at;
      read[index] = text.charAt(at);
    }

    /// How many characters from here on are of a gap. A backslash alone is one: where a JSON text
    /// escapes slashes, it is before one.
    private int skipped(int at, boolean within) {
      char c = text.charAt(at);
      if (c == '\\') {
        return escape(at);
      }
      boolean gap = c == '\n' || c == '\r' || (within && (c == ' ' || c == '\t'));
      return gap ? 1 : 0;
    }

    private int escape(int at) {
      int end = at;
      while (end < text.length() && text.charAt(end) == '\\') {
        end++;
      }
      boolean escaped = end < text.length() && "nrt".indexOf(text.charAt(end)) >= 0;
      return end - at + (escaped ? 1 : 0);
    }
  }
}
