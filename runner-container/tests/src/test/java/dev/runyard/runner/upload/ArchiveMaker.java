package dev.runyard.runner.upload;

import com.github.luben.zstd.ZstdOutputStream;
import dev.runyard.core.upload.UploadFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipEncoding;

/// Makes archives of each format, with what no honest program would put into one.
public final class ArchiveMaker {
  private static final int FILE = 0100000;
  private static final int FOLDER = 0040000;
  private static final int LINK = 0120000;

  private final UploadFormat format;
  private final ByteArrayOutputStream made = new ByteArrayOutputStream();
  private final TarArchiveOutputStream tar;
  private final ZipArchiveOutputStream zip;

  public ArchiveMaker(UploadFormat format) {
    this.format = format;
    try {
      this.zip = new ZipArchiveOutputStream(made);
      this.tar = new TarArchiveOutputStream(compressed(), "UTF-8");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setAddPaxHeadersForNonAsciiNames(true);
    zip.setUseLanguageEncodingFlag(true);
  }

  private OutputStream compressed() throws IOException {
    return switch (format) {
      case TAR_GZ -> new GZIPOutputStream(made);
      case TAR_ZST -> new ZstdOutputStream(made);
      case ZIP -> OutputStream.nullOutputStream();
    };
  }

  public ArchiveMaker file(String path, String content) {
    return file(path, 0644, content.getBytes(StandardCharsets.UTF_8));
  }

  public ArchiveMaker file(String path, int mode, byte[] content) {
    return put(path, TarConstants.LF_NORMAL, FILE | mode, "", content);
  }

  public ArchiveMaker folder(String path) {
    return put(path + "/", TarConstants.LF_DIR, FOLDER | 0755, "", new byte[0]);
  }

  public ArchiveMaker link(String path, String target) {
    return put(
        path,
        TarConstants.LF_SYMLINK,
        LINK | 0777,
        target,
        target.getBytes(StandardCharsets.UTF_8));
  }

  /// A hard link; in a zip, which has none, an empty file.
  ArchiveMaker hardLink(String path, String target) {
    return put(path, TarConstants.LF_LINK, FILE | 0644, target, new byte[0]);
  }

  /// An entry of another kind.
  ///
  /// @param sign of it in a tar
  /// @param kind of it in a zip
  ArchiveMaker special(String path, byte sign, int kind) {
    return put(path, sign, kind | 0666, "", new byte[0]);
  }

  private ArchiveMaker put(String path, byte sign, int mode, String target, byte[] content) {
    try {
      if (format == UploadFormat.ZIP) {
        ZipArchiveEntry entry = new ZipArchiveEntry(path);
        entry.setUnixMode(mode);
        zip.putArchiveEntry(entry);
        zip.write(content);
        zip.closeArchiveEntry();
      } else {
        TarArchiveEntry entry = new Shortened(path, sign);
        entry.setName(path);
        entry.setMode(mode & 07777);
        entry.setLinkName(target);
        boolean filled = sign == TarConstants.LF_NORMAL;
        entry.setSize(filled ? content.length : 0);
        tar.putArchiveEntry(entry);
        if (filled) {
          tar.write(content);
        }
        tar.closeArchiveEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /// All of it.
  public byte[] bytes() {
    try {
      if (format == UploadFormat.ZIP) {
        zip.close();
      } else {
        tar.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return made.toByteArray();
  }

  /// A header has room for the beginning of a name; the library would find out how much of it by
  /// leaving away one character after the other.
  private static final class Shortened extends TarArchiveEntry {
    private static final long serialVersionUID = 1L;

    Shortened(String path, byte sign) {
      super(path, sign, true);
    }

    @Override
    public void writeEntryHeader(byte[] header, ZipEncoding encoding, boolean star)
        throws IOException {
      String name = getName();
      String target = getLinkName();
      setName(head(name));
      setLinkName(head(target));
      super.writeEntryHeader(header, encoding, star);
      setName(name);
      setLinkName(target);
    }

    private static String head(String name) {
      return name.substring(0, Math.min(name.length(), TarConstants.NAMELEN));
    }
  }
}
