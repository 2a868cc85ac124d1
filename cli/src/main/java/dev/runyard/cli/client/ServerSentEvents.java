package dev.runyard.cli.client;

import java.io.BufferedInputStream;
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

  private final InputStream in;
  private final Runnable onLine;
  private @Nullable String lastId;
  private boolean first = true;
  private boolean afterCarriageReturn;

  /// @param onLine called for every line, including comments: a body without any lines is dead
  public ServerSentEvents(InputStream in, Runnable onLine) {
    this.in = new BufferedInputStream(in);
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
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    while (true) {
      int b = in.read();
      if (b < 0) {
        return null;
      }
      if (b == '\n' && afterCarriageReturn) {
        afterCarriageReturn = false;
        continue;
      }
      afterCarriageReturn = b == '\r';
      if (b == '\n' || b == '\r') {
        return text(bytes);
      }
      bytes.write(b);
      if (bytes.size() > MESSAGE_BYTES_MAX) {
        throw new IOException("a line is longer than " + MESSAGE_BYTES_MAX + " bytes");
      }
    }
  }

  private String text(ByteArrayOutputStream bytes) {
    String line = bytes.toString(StandardCharsets.UTF_8);
    boolean marked = first && line.startsWith("\uFEFF");
    first = false;
    return marked ? line.substring(1) : line;
  }
}
