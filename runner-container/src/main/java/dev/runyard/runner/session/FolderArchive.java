package dev.runyard.runner.session;

import dev.runyard.runner.workspace.StoredFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// Files below a folder as one ZIP archive. Only regular files are kept, with their times, because
/// agents find their newest session by them; no link is followed, nor a file of another user kept,
/// also where somebody still exchanges them: an agent may have opened its folders to others.
final class FolderArchive {
  static final int FILES_MAX = 10_000;

  /// Folders within folders; files in deeper ones are no session's.
  static final int DEPTH_MAX = 32;

  private FolderArchive() {}

  /// The archive of the folders and files in `kept` below `root`; empty when there are no files.
  ///
  /// @param stored what is stored of them
  /// @throws TooLarge when it would have more than `bytesMax` bytes or [#FILES_MAX] files
  static byte[] pack(Path root, List<Path> kept, int bytesMax, StoredFiles stored)
      throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    int[] files = {0};
    try (ZipOutputStream zip = new ZipOutputStream(archive)) {
      OwnFiles.below(
          root,
          kept,
          DEPTH_MAX,
          (name, facts, held) -> {
            if (!stored.keeps(name)) {
              return;
            }
            if (++files[0] > FILES_MAX) {
              throw new TooLarge();
            }
            ZipEntry entry = new ZipEntry(name);
            entry.setLastModifiedTime(facts.written());
            zip.putNextEntry(entry);
            copy(stored.content(held.open()), zip, archive, bytesMax);
            zip.closeEntry();
          });
    }
    if (archive.size() > bytesMax) {
      throw new TooLarge();
    }
    return files[0] == 0 ? new byte[0] : archive.toByteArray();
  }

  /// True when the files are few and small enough, even without compression.
  static boolean fits(Path root, List<Path> kept, int bytesMax) throws IOException {
    long[] bytes = {0};
    int[] files = {0};
    OwnFiles.below(
        root,
        kept,
        DEPTH_MAX,
        (_, facts, _) -> {
          bytes[0] += facts.bytes();
          files[0]++;
        });
    return bytes[0] <= bytesMax && files[0] <= FILES_MAX;
  }

  /// Unpacks an archive below `root`. An entry that would lead outside, more than `bytesMax` bytes,
  /// more than [#FILES_MAX] entries, or no entry at all make the archive unreadable.
  static void unpack(byte[] archive, Path root, long bytesMax) throws IOException {
    long left = bytesMax;
    int entries = 0;
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (++entries > FILES_MAX) {
          throw new IOException("the archive has too many entries");
        }
        Path file = root.resolve(entry.getName()).normalize();
        if (!file.startsWith(root) || file.equals(root) || entry.isDirectory()) {
          throw new IOException("an entry leads out of the folder");
        }
        Files.createDirectories(file.getParent());
        left -= write(zip, file, left);
        FileTime written = entry.getLastModifiedTime();
        if (written != null) {
          Files.setLastModifiedTime(file, written);
        }
      }
    }
    if (entries == 0) {
      throw new IOException("the archive holds nothing");
    }
  }

  private static void copy(
      InputStream file, OutputStream zip, ByteArrayOutputStream archive, int bytesMax)
      throws IOException {
    byte[] buffer = new byte[64 * 1024];
    try (InputStream in = file) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        zip.write(buffer, 0, n);
        if (archive.size() > bytesMax) {
          throw new TooLarge();
        }
      }
    }
  }

  private static long write(InputStream in, Path file, long bytesMax) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    long written = 0;
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        written += n;
        if (written > bytesMax) {
          throw new IOException("the archive is too large");
        }
        out.write(buffer, 0, n);
      }
    }
    return written;
  }

  /// The folder contains more than an archive may.
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
