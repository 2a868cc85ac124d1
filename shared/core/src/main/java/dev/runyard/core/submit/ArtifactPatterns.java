package dev.runyard.core.submit;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.List;

/// Patterns of files inside a workspace: relative paths of names in which `*` stands for any part
/// of a name, `?` for one character, and `**` for any folders. Nothing else in them has a meaning.
final class ArtifactPatterns {
  static final String EXPECTED =
      "A pattern must be a relative path like dist/** or *.html, without . and .., and have at most %d bytes"
          .formatted(Limits.ARTIFACT_PATTERN_BYTES_MAX);

  private static final int NAMES_MAX = 32;

  private ArtifactPatterns() {}

  static boolean isAllowed(String pattern) {
    List<String> names = List.of(pattern.split("/", -1));
    return Bounds.bytes(pattern) <= Limits.ARTIFACT_PATTERN_BYTES_MAX
        && names.size() <= NAMES_MAX
        && names.stream().allMatch(ArtifactPatterns::isName);
  }

  private static boolean isName(String name) {
    boolean folders = name.contains("**");
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && (!folders || name.equals("**"))
        && name.chars().noneMatch(c -> c < ' ' || c == 0x7f || c == '\\');
  }
}
