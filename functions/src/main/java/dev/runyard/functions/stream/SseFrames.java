package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.read.EventRenderer;
import dev.runyard.core.stream.StreamEvent;
import dev.runyard.core.view.RenderedEvent;
import dev.runyard.core.view.agentapi.RunCompletion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// Server-sent events. A frame's data is one line of JSON in which every character is escaped that
/// some reader may take for a line end.
final class SseFrames {
  static final String CONTENT_TYPE = "text/event-stream";
  static final int RETRY_MILLIS = 1000;

  /// What is expected of a frame; longer ones cost a copy.
  private static final int FRAME_BYTES = 704;

  private static final byte[] FRAME_END = bytes("\n\n");

  private SseFrames() {}

  static byte[] opening() {
    return bytes("retry: " + RETRY_MILLIS + "\n\n");
  }

  static byte[] heartbeat() {
    return bytes(":\n\n");
  }

  /// Begins a response of frames.
  static OutputStream begin(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
    exchange.sendResponseHeaders(200, 0);
    return exchange.getResponseBody();
  }

  /// One frame for each event.
  static <E extends StreamEvent> byte[] of(List<E> events, Function<E, String> json) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream(FRAME_BYTES * events.size());
    for (E event : events) {
      frames.writeBytes(
          bytes("id: " + event.sequence() + "\nevent: " + oneLine(event.type()) + "\ndata: "));
      frames.writeBytes(line(json.apply(event)));
      frames.writeBytes(FRAME_END);
    }
    return frames.toByteArray();
  }

  /// One frame for each event, or more if the protocol splits it into parts. Only the last part
  /// carries the id: a client that resumes after an earlier one gets the whole event again.
  static byte[] of(List<StoredEvent> events, EventRenderer reader) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream(FRAME_BYTES * events.size());
    for (StoredEvent event : events) {
      List<RenderedEvent> parts = reader.render(event);
      if (RunCompletion.isEnd(event)) {
        parts = Stream.concat(parts.stream(), reader.completion().stream()).toList();
      }
      for (int i = 0; i < parts.size(); i++) {
        RenderedEvent part = parts.get(i);
        String id = i == parts.size() - 1 ? "id: " + event.sequence() + "\n" : "";
        frames.writeBytes(bytes(id + "event: " + oneLine(part.name()) + "\ndata: "));
        frames.writeBytes(line(part.json()));
        frames.writeBytes(FRAME_END);
      }
    }
    return frames.toByteArray();
  }

  /// One frame for each fact that a reader is told besides the events. It has no id, so that the
  /// reader still resumes after the last event; only where it has got none yet on this connection
  /// it has the one that the reader came with, for clients that take no frame without any.
  static byte[] told(List<RenderedEvent> facts, long came, boolean first) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream(FRAME_BYTES * facts.size());
    for (RenderedEvent fact : facts) {
      String id = first ? "id: " + came + "\n" : "";
      frames.writeBytes(bytes(id + "event: " + fact.name() + "\ndata: "));
      frames.writeBytes(line(fact.json()));
      frames.writeBytes(FRAME_END);
    }
    return frames.toByteArray();
  }

  /// Nearly all events are plain ASCII, which has no line end but those that JSON escapes.
  private static byte[] line(String json) {
    byte[] line = bytes(json);
    for (byte b : line) {
      if (b < ' ') {
        return bytes(oneLine(json));
      }
    }
    return line;
  }

  /// JSON already escapes CR and LF; it may contain the other line ends of Unicode unescaped.
  static String oneLine(String text) {
    StringBuilder safe = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean endsLine = c == '\u0085' || c == '\u2028' || c == '\u2029' || c == '\r' || c == '\n';
      if (endsLine && safe == null) {
        safe = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (safe != null) {
        safe.append(endsLine ? "\\u%04x".formatted((int) c) : String.valueOf(c));
      }
    }
    return safe == null ? text : safe.toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
