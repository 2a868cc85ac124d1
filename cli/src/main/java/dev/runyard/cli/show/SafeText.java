package dev.runyard.cli.show;

import java.util.regex.Pattern;

/// Makes text of unknown origin fit to print. An agent's output may contain control sequences that
/// would move the cursor, rename the window or hide what follows.
public final class SafeText {
  static final int LINE_CHARS_MAX = 200;

  private static final Pattern SEQUENCE =
      Pattern.compile("\u001b(\\[[0-9;?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(\u0007|\u001b\\\\)?)");

  private SafeText() {}

  /// The text without terminal sequences and control characters other than line ends and tabs.
  public static String block(String text) {
    return SEQUENCE
        .matcher(text)
        .replaceAll("")
        .codePoints()
        .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /// The text on one line, cut where it is too long to read.
  public static String line(String text) {
    String line = block(text).strip().replaceAll("\\s*\\n\\s*", " ⏎ ").replace('\t', ' ');
    int end =
        line.offsetByCodePoints(0, Math.min(line.codePointCount(0, line.length()), LINE_CHARS_MAX));
    return end < line.length() ? line.substring(0, end) + "…" : line;
  }
}
