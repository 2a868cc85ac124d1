package dev.runyard.runner.backend;

import dev.runyard.runner.backend.SecretSearch.Form;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Forms of secrets by what they begin with: a hash of the next characters, which moves with the
/// place, says which forms may begin there, whatever their number.
final class KnownForms {
  /// The characters that are hashed; no form has fewer.
  static final int WINDOW = SecretForms.SECRET_BYTES_MIN;

  private static final int FACTOR = 31;
  private static final int DROP_FACTOR = power(WINDOW - 1);
  private static final int BITS = 1 << 16;

  private final Map<Integer, List<Form>> byHash = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> prefixes = new HashSet<>();
  private final BitSet beginnings = new BitSet(BITS);
  private int longest;

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

  /// Where in a text of this length a form may begin that the text's end cuts.
  int unsure(int length) {
    return Math.max(0, length - longest + 1);
  }

  /// True if a form may begin where the next characters have this hash.
  boolean mayBegin(int hash) {
    return beginnings.get(bit(hash));
  }

  /// True if the text's end from here, fewer characters than are hashed, is the beginning of a
  /// form.
  boolean isBeginning(String text, int from) {
    return prefixes.contains(text.substring(from));
  }

  /// True if the text's end from here is the beginning of a form that is longer.
  boolean begins(String text, int from, int hash) {
    int length = text.length() - from;
    for (Form form : byHash.getOrDefault(hash, List.of())) {
      if (form.text().length() > length && matches(text, from, form.text(), length)) {
        return true;
      }
    }
    return false;
  }

  /// The longest form that is here.
  @Nullable Form at(String text, int from, int hash) {
    for (Form form : byHash.getOrDefault(hash, List.of())) {
      int length = form.text().length();
      if (from + length <= text.length() && matches(text, from, form.text(), length)) {
        return form;
      }
    }
    return null;
  }

  static int hash(String text, int from) {
    int hash = 0;
    for (int i = 0; i < WINDOW; i++) {
      hash = hash * FACTOR + text.charAt(from + i);
    }
    return hash;
  }

  /// The hash one place further on.
  static int moved(int hash, String text, int from) {
    return (hash - text.charAt(from) * DROP_FACTOR) * FACTOR + text.charAt(from + WINDOW);
  }

  private static boolean matches(String text, int from, String form, int length) {
    for (int i = 0; i < length; i++) {
      if (text.charAt(from + i) != form.charAt(i)) {
        return false;
      }
    }
    return true;
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
