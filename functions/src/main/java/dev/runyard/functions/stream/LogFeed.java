package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.stream.StreamEvent;
import dev.runyard.core.view.RenderedEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The events of one log for one reader. Not thread-safe.
///
/// @param json how an event is written
/// @param told what the reader is told besides the events
/// @param <E> its events
record LogFeed<E extends StreamEvent>(
    StreamKey key,
    EventCursor<E> cursor,
    Function<E, String> json,
    ToldFacts<E> told,
    LogReading reading) {

  /// A page that begins with `first`; if that is empty, with what comes until then.
  String page(List<E> first, FeedRequest asked, Instant until) throws InterruptedException {
    List<E> events = first;
    while (events.isEmpty() && !cursor.closed() && reading.await(key, cursor.after(), until)) {
      events = cursor.next();
    }
    String besides = EventPages.member(EventPages.told(told, events, cursor.isAhead()));
    StringBuilder page = new StringBuilder("{\"events\":[");
    int count = 0;
    long after = asked.after();
    boolean full = false;
    while (!events.isEmpty() && !full) {
      for (E event : events) {
        full = count == asked.limit() || page.length() > EventPages.PAGE_CHARS_MAX;
        if (full) {
          break;
        }
        page.append(count == 0 ? "" : ",").append(json.apply(event));
        count++;
        after = event.sequence();
      }
      full |= count == asked.limit() && !cursor.closed();
      events = full || cursor.closed() ? List.of() : cursor.next();
    }
    boolean closed = !full && cursor.closed();
    page.append("],\"next_after\":").append(after);
    return page.append(",\"closed\":").append(closed).append(besides).append('}').toString();
  }

  /// Sends `first` and what follows, until the log is closed, the reader leaves or may not read on,
  /// or after [SseStream#STREAM_SECONDS_MAX]; then it continues after the last id it saw.
  void stream(HttpExchange exchange, List<E> first, Admission admission)
      throws IOException, InterruptedException {
    try (OutputStream out = SseFrames.begin(exchange)) {
      send(out, SseFrames.opening());
      follow(out, first, admission);
    }
  }

  private void follow(OutputStream out, List<E> first, Admission admission)
      throws IOException, InterruptedException {
    Instant end = reading.now().plusSeconds(SseStream.STREAM_SECONDS_MAX);
    Instant heartbeat = nextHeartbeat();
    Optional<List<E>> events = Optional.of(first);
    boolean sent = false;
    boolean more = true;
    while (more && admission.holds()) {
      byte[] frames = events.isPresent() ? frames(events.get(), sent) : new byte[0];
      boolean got = events.filter(list -> !list.isEmpty()).isPresent();
      sent |= got;
      if (frames.length > 0) {
        send(out, frames);
        heartbeat = nextHeartbeat();
      } else if (!reading.now().isBefore(heartbeat)) {
        send(out, SseFrames.heartbeat());
        heartbeat = nextHeartbeat();
      }
      boolean loading = got && !told.loaded();
      more = !cursor.closed() && (loading || reading.await(key, cursor.after(), end));
      events = more ? next() : Optional.empty();
    }
  }

  /// The events, and what the reader is told with them. Nothing follows the last event of a log.
  private byte[] frames(List<E> events, boolean sent) {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.writeBytes(SseFrames.told(told.before(events), told.last(), !sent));
    frames.writeBytes(SseFrames.of(events, json));
    if (!cursor.closed()) {
      boolean none = events.isEmpty();
      List<RenderedEvent> behind = none ? caughtUp() : told.behind(events);
      frames.writeBytes(SseFrames.told(behind, told.last(), !sent && none));
    }
    return frames.toByteArray();
  }

  private List<RenderedEvent> caughtUp() {
    try {
      return told.caughtUp();
    } catch (PortUnavailable _) {
      return List.of();
    }
  }

  /// A log that does not answer is tried again: disconnecting the reader would be worse.
  private Optional<List<E>> next() {
    try {
      return Optional.of(told.loaded() ? cursor.news() : cursor.next());
    } catch (PortUnavailable _) {
      return Optional.empty();
    }
  }

  private Instant nextHeartbeat() {
    return reading.now().plusSeconds(SseStream.HEARTBEAT_SECONDS);
  }

  private static void send(OutputStream out, byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }
}
