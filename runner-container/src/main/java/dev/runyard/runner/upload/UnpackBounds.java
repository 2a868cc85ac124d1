package dev.runyard.runner.upload;

import dev.runyard.core.change.ChangeBounds;

/// How much an archive may unpack to.
///
/// @param bytes most of all its files
/// @param entries most files, folders and links, with folders that only paths name
/// @param ratio most bytes for each byte of the archive, beyond [#FREE_BYTES]
public record UnpackBounds(long bytes, int entries, int ratio) {
  /// Most bytes of all files of an upload.
  public static final long UNPACKED_BYTES_MAX = 1024L * 1024 * 1024;

  /// Most bytes for each byte of an upload, beyond the first [#FREE_BYTES].
  public static final int UNPACKED_RATIO_MAX = 200;

  /// Longest path of an entry: with the folder of a workspace before it, the system still takes it.
  public static final int ENTRY_PATH_BYTES_MAX = 3_500;

  /// Longest name in a path.
  public static final int ENTRY_NAME_BYTES_MAX = 255;

  /// Longest target of a link.
  public static final int LINK_BYTES_MAX = 4_095;

  /// What the headers of one entry may take, and those of all of them.
  static final int HEADER_BYTES = 64 * 1024;

  static final long HEADERS_BYTES = 256L * 1024 * 1024;

  /// So much may be compressed however well.
  static final long FREE_BYTES = 32L * 1024 * 1024;

  /// Those of uploads.
  public static final UnpackBounds OF_UPLOADS =
      new UnpackBounds(UNPACKED_BYTES_MAX, ChangeBounds.ENTRIES_MAX, UNPACKED_RATIO_MAX);

  /// Most bytes that an archive of this size may unpack to.
  public long bytesOf(long archive) {
    return Math.min(bytes, Math.max(FREE_BYTES, archive * ratio));
  }
}
