package dev.runyard.local.rights;

/// IAM's wildcards: `*` stands for any text, even an empty one, `?` for one character.
final class Wildcard {
  private Wildcard() {}

  /// Whether the pattern covers the whole text. After a mismatch the last `*` takes one more
  /// character.
  static boolean covers(String pattern, String text) {
    int at = 0;
    int star = -1;
    int retry = 0;
    int i = 0;
    while (i < text.length()) {
      if (at < pattern.length() && pattern.charAt(at) == '*') {
        star = at++;
        retry = i;
      } else if (at < pattern.length()
          && (pattern.charAt(at) == '?' || pattern.charAt(at) == text.charAt(i))) {
        at++;
        i++;
      } else if (star >= 0) {
        at = star + 1;
        i = ++retry;
      } else {
        return false;
      }
    }
    return pattern.substring(at).chars().allMatch(left -> left == '*');
  }

  /// A text covered by this pattern and by any pattern that is as wide.
  static String example(String pattern) {
    return pattern.replace("*", "x").replace("?", "x");
  }
}
