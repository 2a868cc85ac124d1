package dev.runyard.runner.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;

/// What the system says of something that is held.
///
/// @param uid its owner
/// @param names how many it has, anywhere on its file system
/// @param mode its permissions and what belongs to them, as in `chmod(2)`
/// @param inode with `device`, no other has it as long as this is there
public record FileFacts(
    Kind kind,
    int uid,
    int names,
    int mode,
    long bytes,
    FileTime written,
    long inode,
    long device) {
  private static final String WANTED = "unix:mode,ino,dev,nlink,uid,size,lastModifiedTime";
  private static final int KIND = 0xf000;
  private static final int FOLDER = 0x4000;
  private static final int FILE = 0x8000;
  private static final int LINK = 0xa000;
  private static final int MODE = 0xfff;
  private static final String ALL = "rwxrwxrwx";
  private static final int FIRST = 0x100;

  /// The kinds that are not treated alike.
  public enum Kind {
    FOLDER,
    FILE,
    LINK,
    /// A pipe, a socket, or a device.
    SPECIAL
  }

  static FileFacts of(Path held) throws IOException {
    Map<String, Object> told = Files.readAttributes(held, WANTED);
    int mode = (int) of(told, "mode");
    return new FileFacts(
        switch (mode & KIND) {
          case FOLDER -> Kind.FOLDER;
          case FILE -> Kind.FILE;
          case LINK -> Kind.LINK;
          default -> Kind.SPECIAL;
        },
        (int) of(told, "uid"),
        (int) of(told, "nlink"),
        mode & MODE,
        (long) of(told, "size"),
        (FileTime) of(told, "lastModifiedTime"),
        (long) of(told, "ino"),
        (long) of(told, "dev"));
  }

  private static Object of(Map<String, Object> told, String name) {
    return Objects.requireNonNull(told.get(name));
  }

  public boolean isFolder() {
    return kind == Kind.FOLDER;
  }

  public boolean isFile() {
    return kind == Kind.FILE;
  }

  /// True for one and the same, not for equal ones.
  boolean isSame(FileFacts other) {
    return inode == other.inode && device == other.device;
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
