package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.Scope;
import dev.runyard.core.agentcommunication.AcpError;
import dev.runyard.core.agentcommunication.AcpEvent;
import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.agentcommunication.RunMode;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.http.AcpReplies;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The resources of the Agent Communication Protocol that may take long: `POST /runs` and `POST
/// /runs/{id}` in each of their modes, and `GET /runs/{id}/events`, whose response is unbounded.
final class AcpServer implements Resources<StreamEndpoint> {
  private final AcpRuns runs;
  private final ProjectRun project;
  private final KeyCheck keys;
  private final InstantSource clock;
  private final RunFeeds feeds;
  private final JsonLog lines;

  /// @param keys tells whether the keys of those who wait still stand
  AcpServer(
      AcpRuns runs,
      ProjectRun project,
      RunFeeds feeds,
      KeyCheck keys,
      InstantSource clock,
      JsonLog lines) {
    this.keys = keys;
    this.runs = runs;
    this.project = project;
    this.clock = clock;
    this.feeds = feeds;
    this.lines = lines;
  }

  @Override
  public List<Route<StreamEndpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, "/runs", this::create),
        Route.post(Scope.ACTIONS_DECIDE, "/runs/{id}", this::resume),
        Route.elsewhere("GET", "/runs/{id}"),
        Route.get(Scope.RUNS_READ, "/runs/{id}/events", this::events));
  }

  private StreamAnswer create(StreamRequest request) throws IOException {
    return posted(request, body -> runs.create(request, body));
  }

  private StreamAnswer resume(StreamRequest request) throws IOException {
    return switch (AcpReplies.run(request)) {
      case AcpReplies.Named.Nothing nothing -> new StreamAnswer.Whole(nothing.reply());
      case AcpReplies.Named.Run named ->
          posted(request, body -> runs.resume(request.caller(), named.run(), body));
    };
  }

  private StreamAnswer posted(StreamRequest request, Function<byte[], AcpRuns.Outcome> action)
      throws IOException {
    String type = request.header("Content-Type");
    String media = type == null ? "" : type.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
    if (!media.equals("application/json")) {
      return new StreamAnswer.Whole(
          AcpReplies.error(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send a body as application/json."));
    }
    byte[] body = request.exchange().getRequestBody().readNBytes(Limits.BODY_BYTES_MAX + 1);
    return switch (action.apply(body)) {
      case AcpRuns.Outcome.Answered answered -> new StreamAnswer.Whole(answered.reply());
      case AcpRuns.Outcome.Waits waits -> new StreamAnswer.Live(() -> follow(request, waits));
    };
  }

  private void follow(StreamRequest request, AcpRuns.Outcome.Waits waits)
      throws IOException, InterruptedException {
    String runId = waits.run().runId();
    try (Tail tail = feeds.open(waits.run(), 0).orElseThrow()) {
      AcpFollow follow =
          new AcpFollow(
              request.exchange(),
              tail,
              waits.after(),
              new Admission(request.caller().identity(), keys, clock),
              clock,
              () -> project.ended(waits.run()));
      if (waits.mode() == RunMode.STREAM) {
        stream(follow, runId, request.requestId());
      } else {
        follow.settle(runId);
      }
    }
    lines.info(
        "waited",
        line ->
            line.put("request_id", request.requestId()).put("status", 200).put("run_id", runId));
  }

  private void stream(AcpFollow follow, String runId, String requestId)
      throws IOException, InterruptedException {
    try {
      follow.stream(runId);
    } catch (RuntimeException e) {
      lines.failure("stream_broken", e, line -> line.put("request_id", requestId));
      follow.breakOff(AcpError.of(Problem.of(ProblemCode.INTERNAL, "The stream broke off.")));
    }
  }

  private StreamAnswer events(StreamRequest request) {
    return switch (AcpReplies.run(request)) {
      case AcpReplies.Named.Nothing nothing -> new StreamAnswer.Whole(nothing.reply());
      case AcpReplies.Named.Run named -> {
        EventCursor<StoredEvent> cursor = feeds.cursor(named.run(), 0);
        List<StoredEvent> first = cursor.next();
        yield first.isEmpty()
            ? new StreamAnswer.Whole(AcpReplies.notFound("Run", named.run().runId()))
            : new StreamAnswer.Live(() -> list(request, named.run(), cursor, first));
      }
    };
  }

  /// Every event so far, written while the log is read.
  private void list(
      StreamRequest request, RunKey run, EventCursor<StoredEvent> cursor, List<StoredEvent> first)
      throws IOException {
    HttpExchange exchange = request.exchange();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set(AcpReplies.RUN_ID, run.runId());
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    AcpView view = new AcpView();
    StringBuilder page = new StringBuilder("{\"events\":[");
    String comma = "";
    for (List<StoredEvent> stored = first; !stored.isEmpty(); stored = cursor.next()) {
      for (StoredEvent event : stored) {
        for (AcpEvent told : view.read(event)) {
          page.append(comma).append(told.json());
          comma = ",";
        }
      }
      out.write(page.toString().getBytes(StandardCharsets.UTF_8));
      page.setLength(0);
    }
    out.write("]}".getBytes(StandardCharsets.UTF_8));
    lines.info("request", line -> line.put("request_id", request.requestId()).put("status", 200));
  }
}
