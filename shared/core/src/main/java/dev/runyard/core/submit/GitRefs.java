package dev.runyard.core.submit;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.regex.Pattern;

/// Names of branches and tags, and commit ids, that mean nothing else to git: no option, no
/// expression, no pattern.
final class GitRefs {
  /// What git itself refuses in a name, and `-` at its beginning.
  private static final Pattern REFUSED =
      Pattern.compile(
          "[\\x00-\\x20\\x7f~^:?*\\[\\\\]|\\.\\.|@\\{|//|/\\.|\\.lock(?:/|$)|^[-./]|[./]$|^@$");

  private GitRefs() {}

  static boolean isAllowed(String ref) {
    return !ref.isEmpty()
        && Bounds.bytes(ref) <= Limits.GIT_REF_BYTES_MAX
        && !REFUSED.matcher(ref).find();
  }
}
