package dev.runyard.runner.checkout;

import java.util.List;
import java.util.regex.Pattern;

/// The paths that are checked out, as git reads them: patterns, which have to mean these paths
/// alone.
final class SparsePatterns {
  private static final Pattern SPECIAL = Pattern.compile("[\\\\*?\\[]| (?= *$)");

  private SparsePatterns() {}

  /// A line for each.
  static String of(List<String> paths) {
    StringBuilder lines = new StringBuilder();
    for (String path : paths) {
      lines.append('/').append(SPECIAL.matcher(path).replaceAll("\\\\$0")).append('\n');
    }
    return lines.toString();
  }
}
