package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.Scope;
import dev.runyard.core.job.JobCodec;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.job.StoredJobEvent;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The events of a job, as JSON pages and as server-sent events, by the rules of those of runs. Few
/// watch a job at once, so each reader reads the log itself.
final class JobEventsApi implements Resources<StreamEndpoint> {
  private static final Duration LOOK_SECONDS_MAX = Duration.ofSeconds(1);
  private static final Set<String> PARAMETERS = Set.of("after", "limit", "wait");

  private final EventLog log;
  private final StreamWatch watch;
  private final KeyCheck keys;
  private final InstantSource clock;

  /// @param keys tells whether the key of a reader still stands
  JobEventsApi(EventLog log, StreamWatch watch, KeyCheck keys, InstantSource clock) {
    this.log = log;
    this.watch = watch;
    this.keys = keys;
    this.clock = clock;
  }

  @Override
  public List<Route<StreamEndpoint>> routes() {
    return List.of(Route.get(Scope.RUNS_READ, "/v1/jobs/{id}/events", this::events));
  }

  /// What is asked for.
  private record Asked(long after, int limit, Duration patience) {}

  private StreamAnswer events(StreamRequest request) throws InterruptedException {
    HttpExchange exchange = request.exchange();
    Query query = Query.parse(exchange.getRequestURI().getRawQuery(), PARAMETERS);
    String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
    long after = query.whole("after", 0, Long.MAX_VALUE, 0);
    if (last != null) {
      after = query.whole("Last-Event-ID", last, 0, Long.MAX_VALUE, 0);
    }
    long limit = query.whole("limit", 1, EventsRequest.LIMIT_MAX, EventsRequest.LIMIT_DEFAULT);
    long wait = query.whole("wait", 0, EventsRequest.WAIT_SECONDS_MAX, 0);
    if (query.problem().isPresent()) {
      return new StreamAnswer.Whole(Reply.of(query.problem().get()));
    }
    Optional<JobKey> job =
        Optional.of(request.named("id"))
            .filter(JobKey::isJobId)
            .map(id -> new JobKey(request.caller().tenant(), id));
    return job.isPresent()
        ? answer(request, job.get(), new Asked(after, (int) limit, Duration.ofSeconds(wait)))
        : new StreamAnswer.Whole(Reply.of(ManageJobs.notFound()));
  }

  private StreamAnswer answer(StreamRequest request, JobKey job, Asked asked)
      throws InterruptedException {
    EventCursor<StoredJobEvent> cursor = new EventCursor<>(log, JobCodec.JOBS, job, asked.after());
    List<StoredJobEvent> first = cursor.next();
    if (first.isEmpty() && !cursor.closed() && log.chunkAt(job, 1).isEmpty()) {
      return new StreamAnswer.Whole(Reply.of(ManageJobs.notFound()));
    }
    if (EventsRequest.wantsStream(request.exchange().getRequestHeaders())) {
      return first.isEmpty() && cursor.closed()
          ? new StreamAnswer.Whole(Reply.empty(204))
          : new StreamAnswer.Live(() -> stream(request, job, cursor, first));
    }
    return new StreamAnswer.Whole(page(job, cursor, first, asked));
  }

  private Reply page(
      JobKey job, EventCursor<StoredJobEvent> cursor, List<StoredJobEvent> first, Asked asked)
      throws InterruptedException {
    Instant until = clock.instant().plus(asked.patience());
    List<StoredJobEvent> events = first;
    while (events.isEmpty() && !cursor.closed() && clock.instant().isBefore(until)) {
      pause(job, cursor, until);
      events = cursor.next();
    }
    StringBuilder page = new StringBuilder("{\"events\":[");
    int start = page.length();
    int count = 0;
    long after = asked.after();
    boolean full = false;
    while (!events.isEmpty() && !full) {
      for (StoredJobEvent event : events) {
        full = count == asked.limit() || page.length() > EventPages.PAGE_CHARS_MAX;
        if (full) {
          break;
        }
        page.append(page.length() == start ? "" : ",").append(json(event));
        count++;
        after = event.sequence();
      }
      full |= count == asked.limit() && !cursor.closed();
      events = full || cursor.closed() ? List.of() : cursor.next();
    }
    boolean closed = !full && cursor.closed();
    page.append("],\"next_after\":").append(after);
    return Reply.json(200, page.append(",\"closed\":").append(closed).append('}').toString());
  }

  private void stream(
      StreamRequest request,
      JobKey job,
      EventCursor<StoredJobEvent> cursor,
      List<StoredJobEvent> first)
      throws IOException, InterruptedException {
    HttpExchange exchange = request.exchange();
    exchange.getResponseHeaders().set("Content-Type", SseFrames.CONTENT_TYPE);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      send(job, cursor, first, new Admission(request.caller().identity(), keys, clock), out);
    }
  }

  private void send(
      JobKey job,
      EventCursor<StoredJobEvent> cursor,
      List<StoredJobEvent> first,
      Admission admission,
      OutputStream out)
      throws IOException, InterruptedException {
    Instant end = clock.instant().plusSeconds(SseStream.STREAM_SECONDS_MAX);
    Instant heartbeat = nextHeartbeat();
    out.write(SseFrames.opening());
    out.flush();
    List<StoredJobEvent> events = first;
    while (admission.holds()) {
      if (!events.isEmpty()) {
        out.write(frames(events));
        out.flush();
        heartbeat = nextHeartbeat();
      } else if (!clock.instant().isBefore(heartbeat)) {
        out.write(SseFrames.heartbeat());
        out.flush();
        heartbeat = nextHeartbeat();
      }
      if (cursor.closed() || !clock.instant().isBefore(end)) {
        return;
      }
      pause(job, cursor, end);
      events = read(cursor);
    }
  }

  /// A log that does not answer is tried again: disconnecting the reader would be worse.
  private static List<StoredJobEvent> read(EventCursor<StoredJobEvent> cursor) {
    try {
      return cursor.news();
    } catch (PortUnavailable _) {
      return List.of();
    }
  }

  private void pause(JobKey job, EventCursor<StoredJobEvent> cursor, Instant until)
      throws InterruptedException {
    Duration left = Duration.between(clock.instant(), until);
    watch.await(
        job, cursor.after(), left.compareTo(LOOK_SECONDS_MAX) < 0 ? left : LOOK_SECONDS_MAX);
  }

  private Instant nextHeartbeat() {
    return clock.instant().plusSeconds(SseStream.HEARTBEAT_SECONDS);
  }

  private static byte[] frames(List<StoredJobEvent> events) {
    StringBuilder frames = new StringBuilder();
    for (StoredJobEvent event : events) {
      frames
          .append("id: ")
          .append(event.sequence())
          .append("\nevent: ")
          .append(event.type())
          .append("\ndata: ")
          .append(SseFrames.oneLine(json(event)))
          .append("\n\n");
    }
    return frames.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String json(StoredJobEvent event) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      JobCodec.JOBS.write(event, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
