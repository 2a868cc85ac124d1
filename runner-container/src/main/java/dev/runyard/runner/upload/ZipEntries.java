package dev.runyard.runner.upload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;

/// Reads the entries of a zip archive, as its central directory lists them: only that has
/// permissions and links.
final class ZipEntries {
  private static final int KIND = 0170000;
  private static final int FILE = 0100000;
  private static final int FOLDER = 0040000;
  private static final int LINK = 0120000;
  private static final int FILE_MODE = 0644;
  private static final int FOLDER_MODE = 0755;
  private static final byte[] LISTED = {'P', 'K', 1, 2};

  private ZipEntries() {}

  static void unpack(byte[] archive, UnpackBounds bounds, Unpacking unpacking) throws IOException {
    if (listed(archive) > bounds.entries()) {
      throw ArchiveRefused.tooLarge();
    }
    try (ZipFile zip =
        ZipFile.builder()
            .setSeekableByteChannel(new SeekableInMemoryByteChannel(archive))
            .setCharset(StandardCharsets.UTF_8)
            .get()) {
      for (Enumeration<ZipArchiveEntry> all = zip.getEntries(); all.hasMoreElements(); ) {
        unpack(zip, all.nextElement(), unpacking);
      }
    }
  }

  /// How many entries may be listed, which are all held in memory: signs of one, wherever they are.
  private static int listed(byte[] archive) {
    int count = 0;
    for (int i = 0; i + LISTED.length <= archive.length; i++) {
      if (archive[i] == LISTED[0]
          && archive[i + 1] == LISTED[1]
          && archive[i + 2] == LISTED[2]
          && archive[i + 3] == LISTED[3]) {
        count++;
      }
    }
    return count;
  }

  private static void unpack(ZipFile zip, ZipArchiveEntry entry, Unpacking unpacking)
      throws IOException {
    EntryPath path = EntryPath.of(entry.getName());
    int mode = entry.getUnixMode();
    boolean slash = entry.getName().endsWith("/");
    int kind = (mode & KIND) == 0 ? (slash ? FOLDER : FILE) : mode & KIND;
    if (kind == FOLDER) {
      unpacking.folder(path, mode == 0 ? FOLDER_MODE : mode);
      return;
    }
    if (slash || (kind != FILE && kind != LINK)) {
      throw ArchiveRefused.because("an entry in it is no file, folder or symbolic link");
    }
    boolean known =
        entry.getMethod() == ZipArchiveEntry.STORED
            || entry.getMethod() == ZipArchiveEntry.DEFLATED;
    if (!known || !zip.canReadEntryData(entry)) {
      throw ArchiveRefused.because("an entry in it is encrypted, or compressed in an unknown way");
    }
    try (CheckedInputStream content =
        new CheckedInputStream(zip.getInputStream(entry), new CRC32())) {
      if (kind == LINK) {
        unpacking.link(path, target(content));
      } else {
        unpacking.file(path, mode == 0 ? FILE_MODE : mode, content);
      }
      if (content.getChecksum().getValue() != (entry.getCrc() & 0xFFFF_FFFFL)) {
        throw ArchiveRefused.damaged();
      }
    }
  }

  private static String target(InputStream content) throws IOException {
    return new String(content.readNBytes(UnpackBounds.LINK_BYTES_MAX + 1), StandardCharsets.UTF_8);
  }
}
