package dev.runyard.core.submit;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Which paths of a repository may be asked for: its own names, whatever they are, but none that
/// leads elsewhere or that no line of a file can hold.
final class SparsePaths {
  static final String EXPECTED =
      "A path must be relative and of names like src/app, without . and .., and without control"
          + " characters";

  private static final Pattern NAME = Pattern.compile("[^/\\p{Cc}]+");

  private SparsePaths() {}

  static boolean isAllowed(String path) {
    for (String name : path.split("/", -1)) {
      if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
        return false;
      }
    }
    return StandardCharsets.UTF_8.newEncoder().canEncode(path);
  }
}
