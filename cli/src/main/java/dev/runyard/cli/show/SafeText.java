package dev.runyard.cli.show;

import java.util.regex.Pattern;

/// Makes text of unknown origin fit to print. An agent's output may contain control sequences that
/// would move the cursor, rename the window or hide what follows, and characters that turn the
/// direction of text, so that a person reads another command than the one that was asked about.
public final class SafeText {
  static final int LINE_CHARS_MAX = 200;

  /// Left-to-right, right-to-left and Arabic letter marks, separators of lines and paragraphs.
  private static final String MARKS = "\u200e\u200f\u061c\u2028\u2029";

  private static final Pattern SEQUENCE =
      Pattern.compile("\u001b(\\[[0-9;?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(\u0007|\u001b\\\\)?)");

  private SafeText() {}

  /// JSON in which nothing affects a terminal, and which means the same.
  public static String json(String json) {
    StringBuilder safe = new StringBuilder();
    json.chars()
        .forEach(
            c -> {
              if (prints(c)) {
                safe.append((char) c);
              } else {
                safe.append("\\u%04x".formatted(c));
              }
            });
    return safe.toString();
  }

  /// The text without terminal sequences, control characters other than line ends and tabs, and
  /// characters that turn the direction of text or separate lines.
  public static String block(String text) {
    return SEQUENCE
        .matcher(text)
        .replaceAll("")
        .codePoints()
        .filter(c -> c == '\n' || c == '\t' || prints(c))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean prints(int c) {
    return switch (Character.getDirectionality(c)) {
      case Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
          Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
          Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
          Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
          Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
          Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
          Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE ->
          false;
      default -> !Character.isISOControl(c) && !MARKS.contains(Character.toString(c));
    };
  }

  /// The text on one line, cut where it is too long to read.
  public static String line(String text) {
    String line = block(text).strip().replaceAll("\\s*\\n\\s*", " ⏎ ").replace('\t', ' ');
    int end =
        line.offsetByCodePoints(0, Math.min(line.codePointCount(0, line.length()), LINE_CHARS_MAX));
    return end < line.length() ? line.substring(0, end) + "…" : line;
  }
}
