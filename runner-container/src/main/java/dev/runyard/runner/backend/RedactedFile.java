package dev.runyard.runner.backend;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// A file in which other characters stand for secrets, as many as they have, so that formats that
/// count bytes stay readable. Its characters are bytes.
final class RedactedFile extends InputStream {
  private static final int READ_BYTES = 64 * 1024;

  private final InputStream in;
  private final SecretSearch search;
  private final Runnable changed;
  private final byte[] chunk = new byte[READ_BYTES];
  private String held = "";
  private byte[] ready = new byte[0];
  private int next;
  private boolean over;
  private boolean told;

  /// @param changed told once, if anything was replaced
  RedactedFile(InputStream in, SecretSearch search, Runnable changed) {
    this.in = in;
    this.search = search;
    this.changed = changed;
  }

  @Override
  public int read() throws IOException {
    return fill() ? ready[next++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, ready.length - next);
    System.arraycopy(ready, next, into, from, count);
    next += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private boolean fill() throws IOException {
    while (next == ready.length && !over) {
      int count = in.read(chunk);
      over = count < 0;
      String all = over ? held : held + new String(chunk, 0, count, StandardCharsets.ISO_8859_1);
      SecretSearch.Result result = search.replace(all, !over, this::instead);
      held = all.substring(result.read());
      ready = result.text().getBytes(StandardCharsets.ISO_8859_1);
      next = 0;
    }
    return next < ready.length;
  }

  private String instead(SecretSearch.Form form) {
    if (!told) {
      told = true;
      changed.run();
    }
    return "*".repeat(form.text().length());
  }
}
