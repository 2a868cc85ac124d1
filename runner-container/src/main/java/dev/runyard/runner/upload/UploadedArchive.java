package dev.runyard.runner.upload;

import com.github.luben.zstd.ZstdInputStream;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.upload.UploadFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;

/// An archive that a client has made, which may try anything.
///
/// @param content all of it
@SuppressWarnings("ArrayRecordComponent")
public record UploadedArchive(UploadFormat format, byte[] content) {
  /// What became of it.
  public sealed interface Result {
    /// All of it is there.
    record Unpacked(long files, long bytes) implements Result {}

    /// Part of it may be there; the folder is of no use.
    record Refused(Failure failure) implements Result {}
  }

  /// Unpacks it into an empty folder that nobody else uses. Nothing is written outside of that.
  ///
  /// @param stopped true when nothing more is to be written
  public Result unpack(Path root, UnpackBounds bounds, BooleanSupplier stopped) {
    Unpacking unpacking = new Unpacking(root, bounds, content.length, stopped);
    try {
      switch (format) {
        case TAR_GZ -> {
          try (InputStream tar = new GZIPInputStream(new ByteArrayInputStream(content))) {
            TarEntries.unpack(tar, unpacking);
          }
        }
        case TAR_ZST -> {
          try (InputStream tar = new ZstdInputStream(new ByteArrayInputStream(content))) {
            TarEntries.unpack(tar, unpacking);
          }
        }
        case ZIP -> ZipEntries.unpack(content, bounds, unpacking);
      }
      unpacking.finish();
      return new Result.Unpacked(unpacking.files(), unpacking.bytes());
    } catch (ArchiveRefused e) {
      return new Result.Refused(e.failure());
    } catch (IOException | RuntimeException _) {
      return new Result.Refused(ArchiveRefused.damaged().failure());
    }
  }
}
