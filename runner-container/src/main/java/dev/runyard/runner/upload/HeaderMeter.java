package dev.runyard.runner.upload;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Bounds what the headers of a tar archive take: names and attributes are held in memory whole,
/// whatever size they claim. Not thread-safe.
final class HeaderMeter extends FilterInputStream {
  private long all = UnpackBounds.HEADERS_BYTES;
  private long left;
  private boolean headers;

  HeaderMeter(InputStream in) {
    super(in);
  }

  /// What is read from now on belongs to headers.
  void headers() {
    headers = true;
    left = Math.min(UnpackBounds.HEADER_BYTES, all);
  }

  /// What is read from now on is content, which others count.
  void content() {
    headers = false;
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    take(read < 0 ? 0 : 1);
    return read;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int n = super.read(bytes, offset, length);
    take(Math.max(0, n));
    return n;
  }

  /// Reads: what is skipped counts too.
  @Override
  public long skip(long bytes) throws IOException {
    byte[] skipped = new byte[Math.clamp(bytes, 0, 8192)];
    return Math.max(0, read(skipped, 0, skipped.length));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void take(long bytes) throws ArchiveRefused {
    if (headers) {
      left -= bytes;
      all -= bytes;
      if (left < 0) {
        throw ArchiveRefused.tooLarge();
      }
    }
  }
}
