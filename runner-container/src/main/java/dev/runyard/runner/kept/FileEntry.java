package dev.runyard.runner.kept;

import java.util.List;

/// One thing in a kept folder. Its name is the path within the folder.
sealed interface FileEntry {
  String name();

  /// A folder; what is in it has entries of its own.
  ///
  /// @param permissions as `rwxr-x---`
  record Folder(String name, String permissions) implements FileEntry {}

  /// A file with its content.
  ///
  /// @param writtenMillis when it was last written, in milliseconds since 1970
  /// @param pieces its content in order, as indexes of the listing's pieces
  /// @param altered true if it is not as it was, because it had a secret
  record RegularFile(
      String name,
      String permissions,
      long writtenMillis,
      long bytes,
      List<Integer> pieces,
      boolean altered)
      implements FileEntry {
    public RegularFile {
      pieces = List.copyOf(pieces);
    }
  }

  /// A symbolic link, kept as it is and never followed.
  record Link(String name, String target) implements FileEntry {}

  /// A link that is not kept because its target had a secret.
  record Missing(String name) implements FileEntry {}
}
