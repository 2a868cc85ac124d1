package dev.runyard.runner.files;

import java.nio.file.attribute.FileTime;

/// What the system says of a file, folder or link.
///
/// @param uid its owner
/// @param names how many it has, anywhere on its file system
/// @param mode its permissions and what belongs to them, as in `chmod(2)`
/// @param bytes its size
/// @param allocated bytes that its file system keeps for it
/// @param inode with `device`, no other has it as long as this is there
public record FileFacts(
    Kind kind,
    int uid,
    int names,
    int mode,
    long bytes,
    long allocated,
    FileTime written,
    long inode,
    long device) {
  private static final String ALL = "rwxrwxrwx";
  private static final int FIRST = 0x100;

  /// What a file system may keep behind a small file.
  private static final long KEPT_BYTES = 64 * 1024;

  /// The kinds that are not treated alike.
  public enum Kind {
    FOLDER,
    FILE,
    LINK,
    /// A pipe, a socket, or a device.
    SPECIAL
  }

  public boolean isFolder() {
    return kind == Kind.FOLDER;
  }

  public boolean isFile() {
    return kind == Kind.FILE;
  }

  /// True for one and the same, not for equal ones.
  public boolean isSame(FileFacts other) {
    return inode == other.inode && device == other.device;
  }

  /// What a regular file takes of its disk; nothing for anything else. That may be far more than
  /// its size: a program may have a file system keep room behind the end of a file (`fallocate
  /// -n`). If it is not far more, the size: a file system may keep as much again behind a file that
  /// grows, as XFS does, which is nobody's doing, and a hole counts as what may be filled.
  public long taken() {
    if (!isFile()) {
      return 0;
    }
    return allocated > 2 * bytes + KEPT_BYTES ? allocated : bytes;
  }

  /// Its permissions, as in `rwxr-x---`.
  public String permissions() {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < ALL.length(); bit++) {
      text.append((mode & (FIRST >> bit)) == 0 ? '-' : ALL.charAt(bit));
    }
    return text.toString();
  }
}
