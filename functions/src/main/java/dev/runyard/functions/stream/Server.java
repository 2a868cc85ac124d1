package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.agentcommunication.ReadRun;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.RequestIds;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;

/// The events of a run over HTTP, as JSON pages and as server-sent events, and what takes time of
/// the Agent Communication Protocol. A plain server because the managed Java runtime cannot stream
/// a response; each request has a virtual thread of its own.
public final class Server implements HttpHandler {
  private static final int BACKLOG = 1024;
  private static final int PORT_DEFAULT = 8080;
  private static final int NO_BODY = -1;

  private final RunFeeds feeds;
  private final RunLog runs;
  private final InstantSource clock;
  private final Ids ids;
  private final JsonLog log;
  private final AcpServer acp;

  public Server(Map<String, String> env) {
    this(new Wiring("stream", env));
  }

  private Server(Wiring wiring) {
    this(
        new RunFeeds(wiring.events(), wiring.clock(), Thread::sleep, wiring.tail()),
        wiring.runs(),
        wiring.clock(),
        wiring.ids(),
        new JsonLog("stream"),
        new AcpRuns(
            Wiring.TENANT,
            wiring.createRequestReader(),
            wiring.submitRun(),
            wiring.resolveAction(),
            wiring.runs(),
            wiring.events()),
        wiring.projectRun());
  }

  Server(
      RunFeeds feeds,
      RunLog runs,
      InstantSource clock,
      Ids ids,
      JsonLog log,
      AcpRuns acpRuns,
      ProjectRun project) {
    this.feeds = feeds;
    this.runs = runs;
    this.clock = clock;
    this.ids = ids;
    this.log = log;
    this.acp = new AcpServer(acpRuns, project, feeds, clock, log);
  }

  /// Serves on `PORT` until the process is ended.
  public static void main(String[] args) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    Map<String, String> env = System.getenv();
    int port = Integer.parseInt(env.getOrDefault("PORT", String.valueOf(PORT_DEFAULT)));
    new Server(env).start(new InetSocketAddress(port));
  }

  /// A running server that answers on `address`; the caller stops it.
  public HttpServer start(InetSocketAddress address) throws IOException {
    HttpServer server = HttpServer.create(address, BACKLOG);
    server.createContext("/", this);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return server;
  }

  @Override
  public void handle(HttpExchange exchange) {
    String requestId =
        RequestIds.of(exchange.getRequestHeaders().getFirst(RequestIds.HEADER), null, ids);
    try (exchange) {
      exchange.getResponseHeaders().set(RequestIds.HEADER, requestId);
      if (AcpServer.takes(exchange)) {
        acp.handle(exchange, requestId);
        return;
      }
      switch (EventsRequest.read(exchange, Wiring.TENANT)) {
        case EventsRequest.Result.Refused refused -> send(exchange, refused.reply(), requestId);
        case EventsRequest.Result.Read read -> answer(exchange, read.request(), requestId);
      }
    } catch (IOException _) {
      log.info("client_gone", line -> line.put("request_id", requestId));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.failure("stream_broken", e, line -> line.put("request_id", requestId));
    }
  }

  private void answer(HttpExchange exchange, EventsRequest request, String requestId)
      throws IOException, InterruptedException {
    Answer answer;
    try {
      answer = answer(request);
    } catch (PortUnavailable e) {
      log.failure("unavailable", e, line -> line.put("request_id", requestId));
      answer = new Whole(Reply.of(ProblemCode.UNAVAILABLE, "The store did not answer. Ask again."));
    } catch (RuntimeException e) {
      log.failure("internal_error", e, line -> line.put("request_id", requestId));
      answer =
          new Whole(
              Reply.of(
                  ProblemCode.INTERNAL,
                  "The request failed. Its X-Request-Id finds it in the log."));
    }
    switch (answer) {
      case Whole whole -> send(exchange, whole.reply(), requestId);
      case Live live -> stream(exchange, live, requestId);
    }
  }

  /// A stream that has nothing left to send is answered with 204, which tells a browser not to come
  /// back.
  private Answer answer(EventsRequest request) throws InterruptedException {
    if (request.view() == EventView.ACP && request.after() > ReadRun.EVENTS_MAX) {
      return new Whole(Reply.of(ProblemCode.RESPONSE_TOO_LARGE, ReadRun.TOO_LONG));
    }
    Optional<Tail> open = feeds.open(request.run(), request.after());
    if (open.isEmpty()) {
      return new Whole(Reply.runNotFound());
    }
    Tail tail = open.get();
    EventView.Teller view = request.view().of(feeds.log(), runs, request.run());
    if (request.asStream()) {
      return tail.ended() ? new Whole(Reply.empty(204)) : new Live(tail, view);
    }
    try (tail) {
      return new Whole(
          EventPages.page(request, tail, view, clock.instant().plus(request.patience())));
    }
  }

  private void stream(HttpExchange exchange, Live live, String requestId)
      throws IOException, InterruptedException {
    exchange.getResponseHeaders().set("Content-Type", SseFrames.CONTENT_TYPE);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Accel-Buffering", "no");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody();
        Tail _ = live.tail()) {
      long sent = new SseStream(live.tail(), live.view(), clock, out).run();
      log.info(
          "stream",
          line -> line.put("request_id", requestId).put("status", 200).put("events", sent));
    }
  }

  private void send(HttpExchange exchange, Reply reply, String requestId) throws IOException {
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    boolean bodiless = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(reply.status(), bodiless ? NO_BODY : body.length);
    if (!bodiless) {
      exchange.getResponseBody().write(body);
    }
    log.info(
        "request",
        line -> {
          line.put("request_id", requestId).put("status", reply.status());
          reply.problem().ifPresent(code -> line.put("code", code.code()));
        });
  }

  private sealed interface Answer {}

  private record Whole(Reply reply) implements Answer {}

  private record Live(Tail tail, EventView.Teller view) implements Answer {}
}
