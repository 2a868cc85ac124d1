package dev.runyard.runner.upload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/// Reads the entries of a tar archive.
final class TarEntries {
  private TarEntries() {}

  /// Unpacks all, and reads on to the end of the stream, where its checksum is.
  static void unpack(InputStream source, Unpacking unpacking) throws IOException {
    HeaderMeter meter = new HeaderMeter(source);
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(meter, StandardCharsets.UTF_8.name())) {
      for (TarArchiveEntry entry = next(tar, meter); entry != null; entry = next(tar, meter)) {
        unpack(entry, tar, unpacking);
      }
      meter.headers();
      meter.transferTo(java.io.OutputStream.nullOutputStream());
    }
  }

  private static TarArchiveEntry next(TarArchiveInputStream tar, HeaderMeter meter)
      throws IOException {
    meter.headers();
    TarArchiveEntry entry = tar.getNextEntry();
    meter.content();
    return entry;
  }

  private static void unpack(TarArchiveEntry entry, TarArchiveInputStream tar, Unpacking unpacking)
      throws IOException {
    EntryPath path = EntryPath.of(entry.getName());
    if (entry.isSymbolicLink()) {
      unpacking.link(path, entry.getLinkName());
    } else if (entry.isLink()) {
      unpacking.copy(path, EntryPath.of(entry.getLinkName()));
    } else if (isFile(entry)) {
      unpacking.file(path, entry.getMode(), tar);
    } else if (entry.getLinkFlag() == TarConstants.LF_DIR || entry.isDirectory()) {
      unpacking.folder(path, entry.getMode());
    } else {
      throw ArchiveRefused.because("an entry in it is no file, folder or symbolic link");
    }
  }

  /// A name that ends with a slash was a folder before there was a sign for it.
  private static boolean isFile(TarArchiveEntry entry) {
    return switch (entry.getLinkFlag()) {
      case TarConstants.LF_NORMAL, TarConstants.LF_OLDNORM, TarConstants.LF_CONTIG ->
          !entry.isSparse() && !entry.getName().endsWith("/");
      default -> false;
    };
  }
}
