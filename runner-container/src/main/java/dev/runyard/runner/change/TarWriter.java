package dev.runyard.runner.change;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// Writes a tar archive as POSIX describes it: names and link targets that do not fit into a header
/// come in an extended one. Owners are left out, so whoever unpacks it owns the files.
final class TarWriter {
  private static final int BLOCK_BYTES = 512;
  private static final int NAME_BYTES_MAX = 100;
  private static final int SIZE_AT = 124;
  private static final int SUM_AT = 148;
  private static final char FILE = '0';
  private static final char LINK = '2';
  private static final char FOLDER = '5';
  private static final char EXTENDED = 'x';
  private static final int LINK_MODE = 0777;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  void folder(String path, PosixFileAttributes attributes) throws IOException {
    entry(path + "/", "", FOLDER, mode(attributes), 0, seconds(attributes));
  }

  void link(String path, String target) throws IOException {
    entry(path, target, LINK, LINK_MODE, 0, 0);
  }

  /// A file; exactly its size is read.
  void file(String path, PosixFileAttributes attributes, InputStream content, Deadline deadline)
      throws IOException, TakingFailed {
    long bytes = attributes.size();
    entry(path, "", FILE, mode(attributes), bytes, seconds(attributes));
    copy(content, out, bytes, deadline);
    pad(bytes);
  }

  /// Copies so many bytes of a file, neither more nor fewer.
  static void copy(InputStream content, OutputStream to, long bytes, Deadline deadline)
      throws IOException, TakingFailed {
    byte[] buffer = new byte[64 * 1024];
    long left = bytes;
    while (left > 0) {
      deadline.check();
      int n = content.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (n < 0) {
        throw new IOException("a file is shorter than it was");
      }
      to.write(buffer, 0, n);
      left -= n;
    }
  }

  /// Two empty blocks are the end.
  void end() throws IOException {
    out.write(new byte[2 * BLOCK_BYTES]);
  }

  private void entry(String path, String target, char kind, int mode, long bytes, long seconds)
      throws IOException {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    byte[] link = target.getBytes(StandardCharsets.UTF_8);
    StringBuilder extended = new StringBuilder();
    if (!fits(name)) {
      extended.append(record("path", path));
    }
    if (!fits(link)) {
      extended.append(record("linkpath", target));
    }
    if (!extended.isEmpty()) {
      byte[] content = extended.toString().getBytes(StandardCharsets.UTF_8);
      header(
          "extended".getBytes(StandardCharsets.US_ASCII),
          new byte[0],
          EXTENDED,
          0644,
          content.length,
          0);
      out.write(content);
      pad(content.length);
    }
    header(
        fits(name) ? name : shortened(name),
        fits(link) ? link : shortened(link),
        kind,
        mode,
        bytes,
        seconds);
  }

  private static boolean fits(byte[] text) {
    if (text.length > NAME_BYTES_MAX) {
      return false;
    }
    for (byte each : text) {
      if (each < 0) {
        return false;
      }
    }
    return true;
  }

  /// What a reader shows that knows no extended headers.
  private static byte[] shortened(byte[] text) {
    byte[] shown = new byte[Math.min(text.length, NAME_BYTES_MAX)];
    for (int i = 0; i < shown.length; i++) {
      shown[i] = text[i] < 0 ? (byte) '_' : text[i];
    }
    return shown;
  }

  /// A record says its own length, with the digits of it.
  private static String record(String key, String value) {
    String rest = " " + key + "=" + value + "\n";
    int bytes = rest.getBytes(StandardCharsets.UTF_8).length;
    int length = bytes + String.valueOf(bytes).length();
    length = bytes + String.valueOf(length).length();
    return length + rest;
  }

  private void header(byte[] name, byte[] link, char kind, int mode, long bytes, long seconds)
      throws IOException {
    byte[] block = new byte[BLOCK_BYTES];
    System.arraycopy(name, 0, block, 0, name.length);
    octal(block, 100, 8, mode);
    octal(block, 108, 8, 0);
    octal(block, 116, 8, 0);
    octal(block, SIZE_AT, 12, bytes);
    octal(block, 136, 12, Math.clamp(seconds, 0, 0x1_FFFF_FFFFL));
    block[156] = (byte) kind;
    System.arraycopy(link, 0, block, 157, link.length);
    text(block, 257, "ustar\00000");
    text(block, SUM_AT, "        ");
    int sum = 0;
    for (byte each : block) {
      sum += each & 0xff;
    }
    octal(block, SUM_AT, 7, sum);
    out.write(block);
  }

  private static void octal(byte[] block, int at, int width, long value) {
    String digits = Long.toOctalString(value);
    text(block, at, "0".repeat(Math.max(0, width - 1 - digits.length())) + digits + "\0");
  }

  private static void text(byte[] block, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, block, at, bytes.length);
  }

  private void pad(long bytes) throws IOException {
    out.write(new byte[(int) ((BLOCK_BYTES - bytes % BLOCK_BYTES) % BLOCK_BYTES)]);
  }

  private static int mode(PosixFileAttributes attributes) {
    Set<PosixFilePermission> given = attributes.permissions();
    int mode = 0;
    for (PosixFilePermission each : PosixFilePermission.values()) {
      mode = (mode << 1) | (given.contains(each) ? 1 : 0);
    }
    return mode;
  }

  private static long seconds(PosixFileAttributes attributes) {
    return attributes.lastModifiedTime().toMillis() / 1000;
  }
}
