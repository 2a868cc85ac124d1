package dev.runyard.functions.stream;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.Problem;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.http.CallerCheck;
import dev.runyard.functions.http.Failures;
import dev.runyard.functions.http.Origins;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.RequestIds;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Routes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The events of a run over HTTP, as JSON pages and as server-sent events, and the slow requests of
/// the Agent Communication Protocol. It is a plain server because the managed Java runtime cannot
/// stream a response; each request has its own thread.
public final class Server implements HttpHandler {
  private static final int BACKLOG = 1024;
  private static final int PORT_DEFAULT = 8080;
  private static final int NO_BODY = -1;
  private static final int NOT_BEGUN = -1;

  private final Routes<StreamEndpoint> routes;
  private final CallerCheck check;
  private final Origins origins;
  private final Ids ids;
  private final JsonLog log;
  private final Failures failures;

  public Server(Map<String, String> env) {
    this(new Wiring("stream", env));
  }

  /// The function on the given ports.
  public Server(Wiring wiring) {
    this(
        resources(wiring, new JsonLog("stream")),
        wiring.authentication(),
        new Origins(wiring.corsOrigins()),
        wiring.ids(),
        new JsonLog("stream"));
  }

  Server(
      List<Resources<StreamEndpoint>> resources,
      Authentication authentication,
      Origins origins,
      Ids ids,
      JsonLog log) {
    this.routes = new Routes<>(resources);
    this.origins = origins;
    this.check = new CallerCheck(authentication);
    this.ids = ids;
    this.log = log;
    this.failures = new Failures(log, "The store did not answer. Ask again.");
  }

  private static List<Resources<StreamEndpoint>> resources(Wiring wiring, JsonLog log) {
    RunFeeds feeds =
        new RunFeeds(
            wiring.events(),
            wiring.clock(),
            wiring.watch(),
            wiring.tail(),
            new Audience(wiring.runs(), wiring.wakeRunner(), wiring.clock()),
            (run, sequence) ->
                log.error(
                    "chain_broken",
                    line -> line.put("run_id", run.runId()).put("sequence", sequence)));
    KeyCheck keys = wiring.keyCheck();
    LogReading reading =
        new LogReading(wiring.events(), keys, wiring.watch(), wiring.tail(), wiring.clock());
    AcpRuns acpRuns =
        new AcpRuns(
            wiring.createRequestReader(),
            wiring.submitRun(),
            wiring.resolveAction(),
            wiring.runs(),
            wiring.useCases().readRun());
    return List.of(
        new EventsApi(
            feeds,
            wiring.runs(),
            new StreamTokenCheck(wiring.streamTokens(), keys, wiring.clock()),
            wiring.clock(),
            log),
        new LogEventsApi<>(LogKinds.threads(wiring.threads().read()), reading),
        new LogEventsApi<>(LogKinds.jobs(), reading),
        new LogEventsApi<>(LogKinds.tasks(), reading),
        new ChangesApi(wiring.runs(), wiring.artifacts(), wiring.large(), wiring.clock()),
        new AcpServer(
            acpRuns, wiring.useCases().projectForReader(), feeds, keys, wiring.clock(), log));
  }

  /// All routes answered here, in the form `GET /v1/runs/{id}/events`.
  public Set<String> routes() {
    return routes.names();
  }

  /// The scope that each of them needs, if any.
  public Map<String, Optional<Scope>> scopes() {
    return routes.scopes();
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
    server.setExecutor(Threads.requests());
    server.start();
    return server;
  }

  @Override
  public void handle(HttpExchange exchange) {
    String requestId =
        RequestIds.of(exchange.getRequestHeaders().getFirst(RequestIds.HEADER), null, ids);
    try (exchange) {
      exchange.getResponseHeaders().set(RequestIds.HEADER, requestId);
      answer(exchange, requestId);
    } catch (IOException _) {
      log.info("client_gone", line -> line.put("request_id", requestId));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      log.failure("stream_broken", e, line -> line.put("request_id", requestId));
    }
  }

  /// A response that fails after it has begun can only be cut off.
  private void answer(HttpExchange exchange, String requestId)
      throws IOException, InterruptedException {
    String path = exchange.getRequestURI().getRawPath();
    Headers headers = exchange.getRequestHeaders();
    String origin = headers.getFirst(Origins.HEADER);
    origins.headers(origin).forEach(exchange.getResponseHeaders()::set);
    Optional<Problem> foreign =
        origins.refusal(
            origin, Origins.own(headers.getFirst(Origins.PROTOCOL), headers.getFirst("Host")));
    if (foreign.isPresent()) {
      send(exchange, routes.surface(path).refuse(foreign.get()), requestId);
      return;
    }
    try {
      switch (find(exchange, path, requestId)) {
        case StreamAnswer.Whole whole -> send(exchange, whole.reply(), requestId);
        case StreamAnswer.Live live -> live.body().write();
      }
    } catch (RuntimeException e) {
      if (exchange.getResponseCode() != NOT_BEGUN) {
        throw e;
      }
      send(exchange, routes.surface(path).refuse(failures.problem(e, requestId)), requestId);
    }
  }

  private StreamAnswer find(HttpExchange exchange, String path, String requestId)
      throws IOException, InterruptedException {
    return switch (routes.find(exchange.getRequestMethod(), path)) {
      case Routes.Match.Refused<StreamEndpoint> refused -> new StreamAnswer.Whole(refused.reply());
      case Routes.Match.Found<StreamEndpoint> found ->
          switch (checked(exchange, found)) {
            case CallerCheck.Result.Refused refused ->
                new StreamAnswer.Whole(routes.surface(path).refuse(refused.problem()));
            case CallerCheck.Result.Admitted admitted ->
                found
                    .handler()
                    .answer(
                        new StreamRequest(
                            exchange, requestId, admitted.caller().with(requestId), found.named()));
          };
    };
  }

  private CallerCheck.Result checked(
      HttpExchange exchange, Routes.Match.Found<StreamEndpoint> found) {
    return found
        .handler()
        .check(exchange, found.named())
        .orElseGet(
            () -> check.check(found.scope(), AdapterCaller.shown(exchange.getRequestHeaders())));
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
}
