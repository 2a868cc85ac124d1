package dev.runyard.runner.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Cuts a stream of bytes into lines, in bounded memory.
///
/// A line ends with LF or CRLF; the last one may lack an end. Every other character is kept,
/// including NUL and control characters, except a byte order mark at the very start. Bytes are read
/// only when a line is asked for, so a reader that stops asking stops the writer. Not thread-safe.
public final class LineReader implements AutoCloseable {

  /// The longest line that is kept whole, without its end.
  public static final int LINE_BYTES_MAX = 1_048_576;

  /// Bytes kept of a longer line.
  public static final int PREVIEW_BYTES_MAX = 4_096;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final int HELD_BYTES_MAX = LINE_BYTES_MAX + BYTE_ORDER_MARK.length + 1;
  private static final int HELD_BYTES_START = 8_192;
  private static final int READ_BYTES = 32_768;
  private static final char REPLACEMENT = '\uFFFD';

  private final InputStream stream;
  private final byte[] chunk = new byte[READ_BYTES];
  private int chunkStart;
  private int chunkEnd;

  private byte[] held = new byte[HELD_BYTES_START];
  private int heldBytes;
  private long lineBytes;
  private byte lastByte;
  private boolean first = true;

  public LineReader(InputStream stream) {
    this.stream = stream;
  }

  /// The next line, as soon as it is complete; empty at the end of the stream.
  public Optional<Line> next() throws IOException {
    while (true) {
      if (chunkStart == chunkEnd && !fill()) {
        return lineBytes == markBytes() ? Optional.empty() : Optional.of(take(false));
      }
      int end = chunkStart;
      while (end < chunkEnd && chunk[end] != '\n') {
        end++;
      }
      hold(end);
      if (end < chunkEnd) {
        chunkStart = end + 1;
        return Optional.of(take(true));
      }
    }
  }

  /// Closes the stream; the writer's next write fails.
  @Override
  public void close() throws IOException {
    stream.close();
  }

  private boolean fill() throws IOException {
    chunkStart = 0;
    chunkEnd = Math.max(0, stream.read(chunk));
    return chunkEnd > 0;
  }

  private void hold(int end) {
    int count = end - chunkStart;
    if (count == 0) {
      return;
    }
    lastByte = chunk[end - 1];
    lineBytes += count;
    int kept = Math.min(count, HELD_BYTES_MAX - heldBytes);
    if (heldBytes + kept > held.length) {
      int doubled = Math.max(held.length * 2, heldBytes + kept);
      held = Arrays.copyOf(held, Math.min(doubled, HELD_BYTES_MAX));
    }
    System.arraycopy(chunk, chunkStart, held, heldBytes, kept);
    heldBytes += kept;
    chunkStart = end;
  }

  private Line take(boolean ended) {
    int start = markBytes();
    int carriageReturn = ended && lineBytes > start && lastByte == '\r' ? 1 : 0;
    long total = lineBytes - start - carriageReturn;
    Line line =
        total > LINE_BYTES_MAX
            ? new Line.Oversize(preview(start), total)
            : text(start, (int) total);
    first = false;
    heldBytes = 0;
    lineBytes = 0;
    if (held.length > READ_BYTES) {
      held = new byte[HELD_BYTES_START];
    }
    return line;
  }

  private Line text(int start, int length) {
    String text = new String(held, start, length, StandardCharsets.UTF_8);
    return new Line.Text(text, text.indexOf(REPLACEMENT) >= 0 && !isUtf8(start, length));
  }

  private boolean isUtf8(int start, int length) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(held, start, length));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /// Steps back over continuation bytes, at most the three that a character can have.
  private String preview(int start) {
    int end = start + PREVIEW_BYTES_MAX;
    for (int back = 0; back < 3 && (held[end] & 0xC0) == 0x80; back++) {
      end--;
    }
    return new String(held, start, end - start, StandardCharsets.UTF_8);
  }

  private int markBytes() {
    int length = BYTE_ORDER_MARK.length;
    boolean marked =
        first && heldBytes >= length && Arrays.equals(held, 0, length, BYTE_ORDER_MARK, 0, length);
    return marked ? length : 0;
  }
}
