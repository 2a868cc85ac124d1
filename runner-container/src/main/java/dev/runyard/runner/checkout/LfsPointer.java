package dev.runyard.runner.checkout;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a repository has in place of a file of Git LFS.
///
/// @param oid the SHA-256 of the content
/// @param size of the content in bytes
record LfsPointer(String oid, long size) {
  /// Larger files are no pointers.
  static final int POINTER_BYTES_MAX = 1024;

  private static final Pattern FORM =
      Pattern.compile(
          "version https://git-lfs\\.github\\.com/spec/v1"
              + "\noid sha256:([0-9a-f]{64})\nsize (0|[1-9][0-9]{0,17})\n");

  /// Reads one; empty if it is none, or one with extensions.
  static Optional<LfsPointer> read(String text) {
    Matcher parts = FORM.matcher(text);
    return parts.matches()
        ? Optional.of(new LfsPointer(parts.group(1), Long.parseLong(parts.group(2))))
        : Optional.empty();
  }
}
