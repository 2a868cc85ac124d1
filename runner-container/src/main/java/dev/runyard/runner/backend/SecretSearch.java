package dev.runyard.runner.backend;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the forms of secrets in a text, in one pass whatever their number: a hash of the next
/// characters, which moves with the place, says which forms may begin there.
final class SecretSearch {
  private static final int WINDOW = SecretForms.SECRET_BYTES_MIN;
  private static final int FACTOR = 31;
  private static final int DROP_FACTOR = power(WINDOW - 1);
  private static final int BITS = 1 << 16;

  private final Map<Integer, List<Form>> byHash = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> prefixes = new HashSet<>();
  private final BitSet beginnings = new BitSet(BITS);
  private int longest;

  /// One form of a secret.
  ///
  /// @param secret its name
  record Form(String text, String secret) {}

  void add(Form form) {
    if (!known.add(form.text())) {
      return;
    }
    int hash = hash(form.text(), 0);
    beginnings.set(bit(hash));
    List<Form> same = byHash.computeIfAbsent(hash, _ -> new ArrayList<>());
    if (same.isEmpty() || !same.getFirst().text().startsWith(form.text().substring(0, WINDOW))) {
      for (int length = 1; length < WINDOW; length++) {
        prefixes.add(form.text().substring(0, length));
      }
    }
    int at = same.size();
    while (at > 0 && same.get(at - 1).text().length() < form.text().length()) {
      at--;
    }
    same.add(at, form);
    longest = Math.max(longest, form.text().length());
  }

  boolean isEmpty() {
    return known.isEmpty();
  }

  /// What was done about each form that was found.
  interface Found {
    /// What stands in its place.
    String instead(Form form);
  }

  /// Replaces the forms in a text.
  ///
  /// @param more whether text may follow that belongs to it: then an end that may be the beginning
  ///   of a form is left out
  /// @return the text without them; what was left out begins at the end of what was read
  Result replace(CharSequence text, boolean more, Found found) {
    int n = text.length();
    int unsure = more ? Math.max(0, n - longest + 1) : n;
    StringBuilder out = null;
    int copied = 0;
    int at = 0;
    int hash = 0;
    boolean hashed = false;
    while (at < n) {
      if (at + WINDOW > n) {
        if (at >= unsure && prefixes.contains(text.subSequence(at, n).toString())) {
          break;
        }
        at++;
        continue;
      }
      hash = hashed ? hash : hash(text, at);
      if (at >= unsure && beginnings.get(bit(hash)) && begins(text, at, hash)) {
        break;
      }
      Form form = beginnings.get(bit(hash)) ? at(text, at, hash) : null;
      if (form == null) {
        hashed = at + WINDOW < n;
        if (hashed) {
          hash = (hash - text.charAt(at) * DROP_FACTOR) * FACTOR + text.charAt(at + WINDOW);
        }
        at++;
      } else {
        out = out == null ? new StringBuilder(n) : out;
        out.append(text, copied, at).append(found.instead(form));
        at += form.text().length();
        copied = at;
        hashed = false;
      }
    }
    if (out == null) {
      return new Result(text.subSequence(0, at).toString(), at);
    }
    return new Result(out.append(text, copied, at).toString(), at);
  }

  /// @param read how much of the text the result stands for
  record Result(String text, int read) {}

  /// True if the text's end from here is the beginning of a form that is longer.
  private boolean begins(CharSequence text, int from, int hash) {
    int length = text.length() - from;
    for (Form form : byHash.getOrDefault(hash, List.of())) {
      if (form.text().length() > length && matches(text, from, form.text(), length)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Form at(CharSequence text, int from, int hash) {
    for (Form form : byHash.getOrDefault(hash, List.of())) {
      int length = form.text().length();
      if (from + length <= text.length() && matches(text, from, form.text(), length)) {
        return form;
      }
    }
    return null;
  }

  private static boolean matches(CharSequence text, int from, String form, int length) {
    for (int i = 0; i < length; i++) {
      if (text.charAt(from + i) != form.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int hash(CharSequence text, int from) {
    int hash = 0;
    for (int i = 0; i < WINDOW; i++) {
      hash = hash * FACTOR + text.charAt(from + i);
    }
    return hash;
  }

  private static int bit(int hash) {
    return (hash ^ (hash >>> 16)) & (BITS - 1);
  }

  private static int power(int exponent) {
    int power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= FACTOR;
    }
    return power;
  }
}
