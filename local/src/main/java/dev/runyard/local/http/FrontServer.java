package dev.runyard.local.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.local.http.RouteTable.Match;
import dev.runyard.local.http.RouteTable.Target;
import dev.runyard.local.threads.StackThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/// The API on this machine: one server on 127.0.0.1 with a thread per request.
public final class FrontServer implements AutoCloseable {
  static final int BODY_BYTES_MAX = 10 << 20;
  private static final Logger LOG = System.getLogger(FrontServer.class.getName());

  private final HttpServer server;
  private final RouteTable routes;
  private final Pages pages;
  private final RequestGuard guard;
  private final ExecutorService threads = StackThreads.pool("front");

  /// Starts listening.
  ///
  /// @param port 0 takes a free one
  /// @param token needed for every request; empty for none
  public FrontServer(int port, RouteTable routes, Optional<AccessToken> token) {
    this(port, routes, Map.of(), token, false);
  }

  /// @param open what answers without the token, by what its paths begin with
  /// @param bearer whether functions check keys and tokens; the access token then shows the
  ///   operator
  public FrontServer(
      int port,
      RouteTable routes,
      Map<String, HttpHandler> open,
      Optional<AccessToken> token,
      boolean bearer) {
    this.routes = routes;
    this.pages = new Pages(routes.cors());
    this.guard = new RequestGuard(token, bearer, pages);
    this.server = LoopbackServer.bind(port);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    open.forEach((path, handler) -> server.createContext(path, pass -> openly(pass, handler)));
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) {
    try (exchange) {
      answerChecked(exchange);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a client left", e);
    }
  }

  private void openly(HttpExchange exchange, HttpHandler handler) {
    try (exchange) {
      Optional<GatewayProblem> refused = guard.foreign(exchange);
      pages.allow(exchange);
      if (refused.isPresent()) {
        refused.get().send(exchange);
      } else if (pages.asks(exchange)) {
        pages.answer(exchange);
      } else {
        handler.handle(exchange);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a client left", e);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a request failed", e);
    }
  }

  private void answerChecked(HttpExchange exchange) throws IOException {
    try {
      pages.allow(exchange);
      if (pages.asks(exchange)) {
        answerBrowser(exchange);
        return;
      }
      boolean open =
          routes.isOpen(exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
      switch (open ? guard.checkOpen(exchange) : guard.check(exchange)) {
        case RequestGuard.Result.Refused refused -> refused.problem().send(exchange);
        case RequestGuard.Result.Passed passed -> route(exchange, passed.principal());
      }
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a request failed", e);
      if (exchange.getResponseCode() == -1) {
        GatewayProblem.INTERNAL.send(exchange);
      }
    }
  }

  private void answerBrowser(HttpExchange exchange) throws IOException {
    Optional<GatewayProblem> refused = guard.foreign(exchange);
    if (refused.isPresent()) {
      refused.get().send(exchange);
    } else if (routes.knows(exchange.getRequestURI().getRawPath())) {
      pages.answer(exchange);
    } else {
      GatewayProblem.NOT_FOUND.send(exchange);
    }
  }

  private void route(HttpExchange exchange, Optional<String> principal) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    switch (routes.find(exchange.getRequestMethod(), path)) {
      case Match.Unknown() -> GatewayProblem.NOT_FOUND.send(exchange);
      case Match.WrongMethod(var allowed) -> {
        exchange.getResponseHeaders().set("Allow", String.join(", ", allowed));
        GatewayProblem.WRONG_METHOD.send(exchange);
      }
      case Match.Found found -> serve(exchange, principal, found, found.target());
    }
  }

  private static void serve(
      HttpExchange exchange, Optional<String> principal, Match.Found found, Target target)
      throws IOException {
    switch (target) {
      case Target.Limited(var limited, var free) -> {
        if (!free.tryAcquire()) {
          GatewayProblem.BUSY.send(exchange);
          return;
        }
        try {
          serve(exchange, principal, found, limited);
        } finally {
          free.release();
        }
      }
      case Target.Streamed(var handler) -> handler.handle(new CalledExchange(exchange, principal));
      case Target.Buffered(var function) -> {
        byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
        if (body.length > BODY_BYTES_MAX) {
          GatewayProblem.TOO_LARGE.send(exchange);
        } else {
          ProxyAnswers.send(
              exchange,
              function.invoke(
                  ProxyEvents.event(
                      exchange, principal, found.template(), found.parameters(), body)));
        }
      }
    }
  }

  /// Stops listening and ends open responses, such as a stream of events.
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
