package dev.runyard.local.rights;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// IAM's wildcards: `*` stands for any text, also an empty one, `?` for one character.
final class Wildcard {
  private static final Pattern PARTS = Pattern.compile("[*?]|[^*?]+");

  private Wildcard() {}

  /// Whether the pattern covers the text; action names ignore case, everything else does not.
  static boolean covers(String pattern, String text, boolean ignoreCase) {
    String regex =
        PARTS
            .matcher(pattern)
            .replaceAll(
                part ->
                    switch (part.group()) {
                      case "*" -> ".*";
                      case "?" -> ".";
                      case String words -> Matcher.quoteReplacement(Pattern.quote(words));
                    });
    int flags = Pattern.DOTALL | (ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
    return Pattern.compile(regex, flags).matcher(text).matches();
  }

  /// A text the pattern covers, and any pattern that is as wide.
  static String example(String pattern) {
    return pattern.replace("*", "x").replace("?", "x");
  }
}
