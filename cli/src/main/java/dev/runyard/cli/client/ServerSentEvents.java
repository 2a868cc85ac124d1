package dev.runyard.cli.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Reads a `text/event-stream` body message by message, as the HTML standard defines the format:
/// lines end in LF, CR or CRLF, an empty line ends a message, and a message that is cut off by the
/// end of the body is dropped, since its data may be incomplete.
public final class ServerSentEvents {
  static final int MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

  /// One message. `data` joins its data lines with LF; `id` is the last one seen on this body, null
  /// before the first.
  public record Message(@Nullable String id, String event, String data) {}

  private static final int BUFFER_BYTES = 32 * 1024;

  private final InputStream in;
  private final Runnable onLine;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private @Nullable String lastId;
  private boolean first = true;
  private boolean afterCarriageReturn;

  /// @param onLine called for every line, including comments: a body without any lines is dead
  public ServerSentEvents(InputStream in, Runnable onLine) {
    this.in = in;
    this.onLine = onLine;
  }

  /// The next message, or null when the body has ended.
  public @Nullable Message next() throws IOException {
    StringBuilder data = new StringBuilder();
    String event = "message";
    boolean hasData = false;
    for (String line = line(); line != null; line = line()) {
      onLine.run();
      if (line.isEmpty()) {
        if (hasData) {
          return new Message(lastId, event, data.substring(0, data.length() - 1));
        }
        event = "message";
        continue;
      }
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      if (field.equals("data")) {
        hasData = true;
        data.append(value).append('\n');
        if (data.length() > MESSAGE_BYTES_MAX) {
          throw new IOException("a message is longer than " + MESSAGE_BYTES_MAX + " bytes");
        }
      } else if (field.equals("event")) {
        event = value.isEmpty() ? "message" : value;
      } else if (field.equals("id") && value.indexOf('\0') < 0) {
        lastId = value;
      }
    }
    return null;
  }

  private @Nullable String line() throws IOException {
    ByteArrayOutputStream begun = null;
    while (start < end || fill()) {
      if (afterCarriageReturn && buffer[start] == '\n') {
        start++;
        afterCarriageReturn = false;
        continue;
      }
      afterCarriageReturn = false;
      int at = start;
      while (at < end && buffer[at] != '\n' && buffer[at] != '\r') {
        at++;
      }
      int from = start;
      if (at < end && begun == null) {
        ended(at);
        return text(new String(buffer, from, at - from, StandardCharsets.UTF_8));
      }
      begun = begun == null ? new ByteArrayOutputStream(2 * (at - from)) : begun;
      begun.write(buffer, from, at - from);
      if (begun.size() > MESSAGE_BYTES_MAX) {
        throw new IOException("a line is longer than " + MESSAGE_BYTES_MAX + " bytes");
      }
      if (at < end) {
        ended(at);
        return text(begun.toString(StandardCharsets.UTF_8));
      }
      start = end;
    }
    return null;
  }

  private boolean fill() throws IOException {
    start = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  /// The line ends at `at`.
  private void ended(int at) {
    afterCarriageReturn = buffer[at] == '\r';
    start = at + 1;
  }

  private String text(String line) {
    boolean marked = first && line.startsWith("\uFEFF");
    first = false;
    return marked ? line.substring(1) : line;
  }
}
