package dev.runyard.functions.stream;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.Scope;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.thread.StoredThreadEvent;
import dev.runyard.core.thread.ThreadCodec;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The events of a thread, as JSON pages and as server-sent events, with the cursors of runs: a
/// sequence, after which a reader gets each event once. A thread has no last event.
final class ThreadEventsApi implements Resources<StreamEndpoint> {
  private static final Set<String> PARAMETERS = Set.of("after", "limit", "wait");

  private final ReadThread threads;
  private final EventLog log;
  private final KeyCheck keys;
  private final Waiting waiting;

  /// How a reader waits.
  ///
  /// @param longest before it looks again by itself
  record Waiting(StreamWatch watch, Duration longest, InstantSource clock) {
    /// Waits for an event after `sequence`, at most until `end`. False when `end` has come.
    boolean await(ThreadTurns.In in, long sequence, Instant end) throws InterruptedException {
      Duration left = Duration.between(clock.instant(), end);
      if (!left.isPositive()) {
        return false;
      }
      watch.await(in.thread(), sequence, left.compareTo(longest) < 0 ? left : longest);
      return true;
    }
  }

  /// @param keys tells whether the key of a reader still stands
  ThreadEventsApi(ReadThread threads, EventLog log, KeyCheck keys, Waiting waiting) {
    this.threads = threads;
    this.log = log;
    this.keys = keys;
    this.waiting = waiting;
  }

  @Override
  public List<Route<StreamEndpoint>> routes() {
    return List.of(Route.get(Scope.RUNS_READ, "/v1/threads/{id}/events", this::events));
  }

  private StreamAnswer events(StreamRequest request) throws InterruptedException {
    HttpExchange exchange = request.exchange();
    Headers headers = exchange.getRequestHeaders();
    Query query = Query.parse(exchange.getRequestURI().getRawQuery(), PARAMETERS);
    long after = query.whole("after", 0, Long.MAX_VALUE, 0);
    String last = headers.getFirst("Last-Event-ID");
    if (last != null) {
      after = query.whole("Last-Event-ID", last, 0, Long.MAX_VALUE, 0);
    }
    int limit = (int) query.whole("limit", 1, EventsRequest.LIMIT_MAX, EventsRequest.LIMIT_DEFAULT);
    long wait = query.whole("wait", 0, EventsRequest.WAIT_SECONDS_MAX, 0);
    if (query.problem().isPresent()) {
      return new StreamAnswer.Whole(Reply.of(query.problem().get()));
    }
    Optional<ThreadTurns.In> in = threads.find(request.caller().tenant(), request.named("id"));
    if (in.isEmpty()) {
      return new StreamAnswer.Whole(
          Reply.of(ProblemCode.THREAD_NOT_FOUND, "There is no thread with this id."));
    }
    EventCursor<StoredThreadEvent> cursor =
        new EventCursor<>(log, ThreadCodec.THREADS, in.get().thread(), after);
    return EventsRequest.wantsStream(headers)
        ? new StreamAnswer.Live(
            () ->
                new ThreadFeed(
                        in.get(),
                        cursor,
                        new Admission(request.caller().identity(), keys, waiting.clock()),
                        waiting)
                    .write(exchange))
        : new StreamAnswer.Whole(page(in.get(), cursor, limit, wait));
  }

  private Reply page(ThreadTurns.In in, EventCursor<StoredThreadEvent> cursor, int limit, long wait)
      throws InterruptedException {
    Instant end = waiting.clock().instant().plusSeconds(wait);
    long after = cursor.after();
    List<StoredThreadEvent> events = cursor.next();
    while (events.isEmpty() && waiting.await(in, after, end)) {
      events = cursor.next();
    }
    StringBuilder page = new StringBuilder("{\"events\":[");
    int count = 0;
    for (StoredThreadEvent event : events) {
      if (count == limit || page.length() > EventPages.PAGE_CHARS_MAX) {
        break;
      }
      page.append(count == 0 ? "" : ",").append(json(event));
      after = event.sequence();
      count++;
    }
    return Reply.json(
        200,
        page.append("],\"next_after\":").append(after).append(",\"closed\":false}").toString());
  }

  static String json(StoredThreadEvent event) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ThreadCodec.THREADS.write(event, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
