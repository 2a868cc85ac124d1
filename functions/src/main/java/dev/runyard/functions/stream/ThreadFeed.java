package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.thread.StoredThreadEvent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// The events of a thread to one client, until it leaves or after [SseStream#STREAM_SECONDS_MAX];
/// then the client continues after the last id it saw. If the store does not answer, the stream
/// waits.
record ThreadFeed(
    ThreadTurns.In in,
    EventCursor<StoredThreadEvent> cursor,
    Admission admission,
    ThreadEventsApi.Waiting waiting) {

  void write(HttpExchange exchange) throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", SseFrames.CONTENT_TYPE);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      send(out, SseFrames.opening());
      follow(out);
    }
  }

  private void follow(OutputStream out) throws IOException, InterruptedException {
    Instant end = now().plusSeconds(SseStream.STREAM_SECONDS_MAX);
    Instant heartbeat = now().plusSeconds(SseStream.HEARTBEAT_SECONDS);
    boolean inTime = true;
    while (inTime && admission.holds()) {
      List<StoredThreadEvent> events = read();
      if (!events.isEmpty()) {
        send(out, frames(events));
      } else if (!now().isBefore(heartbeat)) {
        send(out, SseFrames.heartbeat());
      }
      if (!events.isEmpty() || !now().isBefore(heartbeat)) {
        heartbeat = now().plusSeconds(SseStream.HEARTBEAT_SECONDS);
      }
      inTime = waiting.await(in, cursor.after(), end);
    }
  }

  private Instant now() {
    return waiting.clock().instant();
  }

  private List<StoredThreadEvent> read() {
    try {
      return cursor.news();
    } catch (PortUnavailable _) {
      return List.of();
    }
  }

  private static byte[] frames(List<StoredThreadEvent> events) {
    StringBuilder frames = new StringBuilder();
    for (StoredThreadEvent event : events) {
      frames
          .append("id: %d\nevent: ".formatted(event.sequence()))
          .append(SseFrames.oneLine(event.type()))
          .append("\ndata: ")
          .append(SseFrames.oneLine(ThreadEventsApi.json(event)))
          .append("\n\n");
    }
    return frames.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void send(OutputStream out, byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }
}
