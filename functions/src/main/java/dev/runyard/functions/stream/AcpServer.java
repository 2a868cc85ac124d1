package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.agentcommunication.AcpError;
import dev.runyard.core.agentcommunication.AcpEvent;
import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.agentcommunication.RunMode;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.http.AcpReplies;
import dev.runyard.functions.http.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/// The resources of the Agent Communication Protocol that may take long: `POST /runs` and `POST
/// /runs/{id}` in each of their modes, and `GET /runs/{id}/events`, whose answer has no bound.
final class AcpServer {
  private final AcpRuns runs;
  private final ProjectRun project;
  private final EventLog log;
  private final InstantSource clock;
  private final RunFeeds feeds;
  private final JsonLog lines;

  AcpServer(AcpRuns runs, ProjectRun project, RunFeeds feeds, InstantSource clock, JsonLog lines) {
    this.runs = runs;
    this.project = project;
    this.log = feeds.log();
    this.clock = clock;
    this.feeds = feeds;
    this.lines = lines;
  }

  static boolean takes(HttpExchange exchange) {
    String path = exchange.getRequestURI().getRawPath();
    return path.equals("/runs") || path.startsWith("/runs/");
  }

  void handle(HttpExchange exchange, String requestId) throws IOException, InterruptedException {
    try {
      route(exchange, requestId);
    } catch (PortUnavailable e) {
      lines.failure("unavailable", e, line -> line.put("request_id", requestId));
      failed(exchange, requestId, ProblemCode.UNAVAILABLE, "The store did not answer. Ask again.");
    } catch (RuntimeException e) {
      lines.failure("internal_error", e, line -> line.put("request_id", requestId));
      failed(
          exchange,
          requestId,
          ProblemCode.INTERNAL,
          "The request failed. Its X-Request-Id finds it in the log.");
    }
  }

  private void failed(HttpExchange exchange, String requestId, ProblemCode code, String detail)
      throws IOException {
    if (exchange.getResponseCode() == -1) {
      send(exchange, AcpReplies.error(code, detail), requestId);
    } else {
      throw new IOException("the answer broke off");
    }
  }

  private void route(HttpExchange exchange, String requestId)
      throws IOException, InterruptedException {
    String[] path = exchange.getRequestURI().getRawPath().split("/", -1);
    boolean post = exchange.getRequestMethod().equals("POST");
    if (path.length == 2) {
      answer(
          exchange,
          requestId,
          post
              ? posted(exchange, body -> runs.create(exchange, body))
              : answered(AcpReplies.methodNotAllowed("POST")));
      return;
    }
    switch (AcpReplies.run(Wiring.TENANT, path[2])) {
      case AcpReplies.Named.Nothing nothing -> send(exchange, nothing.reply(), requestId);
      case AcpReplies.Named.Run named -> {
        if (path.length == 3) {
          answer(
              exchange,
              requestId,
              post
                  ? posted(exchange, body -> runs.resume(named.run(), body))
                  : answered(AcpReplies.methodNotAllowed("GET, POST")));
        } else if (path.length == 4 && path[3].equals("events")) {
          events(exchange, named.run(), requestId);
        } else {
          send(exchange, nothing(), requestId);
        }
      }
    }
  }

  private interface Posted {
    AcpRuns.Outcome with(byte[] body);
  }

  private static AcpRuns.Outcome posted(HttpExchange exchange, Posted action) throws IOException {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    String media = type == null ? "" : type.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
    if (!media.equals("application/json")) {
      return answered(
          AcpReplies.error(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send a body as application/json."));
    }
    return action.with(exchange.getRequestBody().readNBytes(Limits.BODY_BYTES_MAX + 1));
  }

  private void answer(HttpExchange exchange, String requestId, AcpRuns.Outcome outcome)
      throws IOException, InterruptedException {
    switch (outcome) {
      case AcpRuns.Outcome.Answered answered -> send(exchange, answered.reply(), requestId);
      case AcpRuns.Outcome.Waits waits -> {
        String runId = waits.run().runId();
        try (Tail tail = feeds.open(waits.run(), 0).orElseThrow()) {
          AcpFollow follow =
              new AcpFollow(exchange, tail, waits.after(), clock, () -> project.ended(waits.run()));
          if (waits.mode() == RunMode.STREAM) {
            stream(follow, runId, requestId);
          } else {
            follow.settle(runId);
          }
        }
        lines.info(
            "waited",
            line -> line.put("request_id", requestId).put("status", 200).put("run_id", runId));
      }
    }
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

  /// Every event so far, one after another as the log is read.
  private void events(HttpExchange exchange, RunKey run, String requestId) throws IOException {
    if (!exchange.getRequestMethod().equals("GET")) {
      send(exchange, AcpReplies.methodNotAllowed("GET"), requestId);
      return;
    }
    EventCursor cursor = new EventCursor(log, run, 0);
    List<StoredEvent> stored = cursor.next();
    if (stored.isEmpty()) {
      send(exchange, AcpReplies.notFound("Run", run.runId()), requestId);
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set(AcpReplies.RUN_ID, run.runId());
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    AcpView view = new AcpView();
    StringBuilder page = new StringBuilder("{\"events\":[");
    boolean first = true;
    while (!stored.isEmpty()) {
      for (StoredEvent event : stored) {
        for (AcpEvent told : view.read(event)) {
          page.append(first ? "" : ",").append(told.json());
          first = false;
        }
      }
      out.write(page.toString().getBytes(StandardCharsets.UTF_8));
      page.setLength(0);
      stored = cursor.next();
    }
    out.write("]}".getBytes(StandardCharsets.UTF_8));
    lines.info("request", line -> line.put("request_id", requestId).put("status", 200));
  }

  private void send(HttpExchange exchange, Reply reply, String requestId) throws IOException {
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status(), body.length);
    exchange.getResponseBody().write(body);
    lines.info(
        "request",
        line -> {
          line.put("request_id", requestId).put("status", reply.status());
          reply.problem().ifPresent(code -> line.put("code", code.code()));
        });
  }

  private static AcpRuns.Outcome answered(Reply reply) {
    return new AcpRuns.Outcome.Answered(reply);
  }

  private static Reply nothing() {
    return AcpReplies.error(ProblemCode.NOT_FOUND, "There is no such resource.");
  }
}
