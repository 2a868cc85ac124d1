package dev.runyard.runner.paused;

import dev.runyard.runner.kept.FileTree;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// A workspace as one stream: folders, files with their permissions and times, and symbolic links
/// unchanged. Hard links become separate files.
///
/// One record per entry: kind, name, permissions, then for a file its time, length and content, for
/// a link its target; deflated as a whole. A ZIP archive has no place for permissions and links.
public final class WorkspaceArchive {
  /// Most bytes of all files of a workspace.
  static final long BYTES_MAX = 256L * 1024 * 1024;

  /// Most files, folders and links of a workspace.
  static final int ENTRIES_MAX = 50_000;

  private static final byte FOLDER = 'd';
  private static final byte FILE = 'f';
  private static final byte LINK = 'l';
  private static final byte END = 'e';
  private static final int BUFFER_BYTES = 64 * 1024;

  private WorkspaceArchive() {}

  /// True when the workspace can be packed.
  public static boolean fits(Path root) {
    try {
      FileTree.walk(root, BYTES_MAX, ENTRIES_MAX, (_, _, _) -> {});
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Writes the archive of a workspace and closes it.
  ///
  /// @throws IOException also for a workspace that is too large
  public static void pack(Path root, OutputStream target) throws IOException {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream out =
        new DataOutputStream(new DeflaterOutputStream(target, deflater, BUFFER_BYTES))) {
      FileTree.walk(
          root,
          BYTES_MAX,
          ENTRIES_MAX,
          (name, path, attributes) -> write(name, path, attributes, out));
      out.writeByte(END);
    } finally {
      deflater.end();
    }
  }

  /// Unpacks an archive into an empty folder. An entry that would lead outside, or that exists
  /// already, makes the archive unreadable. Links are created last, so that nothing is written
  /// through one.
  public static void unpack(InputStream source, Path root) throws IOException {
    Map<Path, Path> links = new LinkedHashMap<>();
    Map<Path, Set<PosixFilePermission>> folders = new LinkedHashMap<>();
    long left = BYTES_MAX;
    int entries = 0;
    try (DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(new InflaterInputStream(source), BUFFER_BYTES))) {
      for (byte kind = in.readByte(); kind != END; kind = in.readByte()) {
        if (++entries > ENTRIES_MAX) {
          throw new IOException("the archive is too large");
        }
        Path path = inside(root, in.readUTF());
        switch (kind) {
          case FOLDER -> {
            Files.createDirectory(path);
            folders.put(path, permissions(in.readUTF()));
          }
          case FILE -> left -= read(in, path, left);
          case LINK -> links.put(path, Path.of(in.readUTF()));
          default -> throw new IOException("an entry of an unknown kind");
        }
      }
    } catch (InvalidPathException e) {
      throw new IOException("a name that is none here", e);
    }
    for (Map.Entry<Path, Path> link : links.entrySet()) {
      Files.createSymbolicLink(link.getKey(), link.getValue());
    }
    for (Map.Entry<Path, Set<PosixFilePermission>> folder : folders.entrySet()) {
      Files.setPosixFilePermissions(folder.getKey(), folder.getValue());
    }
  }

  private static void write(
      String name, Path path, BasicFileAttributes attributes, DataOutputStream out)
      throws IOException {
    out.writeByte(attributes.isDirectory() ? FOLDER : attributes.isSymbolicLink() ? LINK : FILE);
    out.writeUTF(name);
    if (attributes.isSymbolicLink()) {
      out.writeUTF(Files.readSymbolicLink(path).toString());
      return;
    }
    out.writeUTF(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    if (attributes.isRegularFile()) {
      out.writeLong(attributes.lastModifiedTime().toMillis());
      out.writeLong(attributes.size());
      try (InputStream in = Files.newInputStream(path)) {
        copy(in, out, attributes.size());
      }
    }
  }

  private static long read(DataInputStream in, Path path, long bytesMax) throws IOException {
    Set<PosixFilePermission> permissions = permissions(in.readUTF());
    FileTime written = FileTime.fromMillis(in.readLong());
    long length = in.readLong();
    if (length < 0 || length > bytesMax) {
      throw new IOException("the archive is too large");
    }
    try (OutputStream out =
        Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      copy(in, out, length);
    }
    Files.setLastModifiedTime(path, written);
    Files.setPosixFilePermissions(path, permissions);
    return length;
  }

  private static void copy(InputStream in, OutputStream out, long length) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long left = length;
    while (left > 0) {
      int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (n < 0) {
        throw new IOException("a file is shorter than it was");
      }
      out.write(buffer, 0, n);
      left -= n;
    }
  }

  private static Path inside(Path root, String name) throws IOException {
    Path path = root.resolve(name).normalize();
    if (!path.startsWith(root) || path.equals(root)) {
      throw new IOException("an entry leads out of the folder");
    }
    return path;
  }

  private static Set<PosixFilePermission> permissions(String text) throws IOException {
    try {
      return PosixFilePermissions.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("permissions that are none", e);
    }
  }
}
