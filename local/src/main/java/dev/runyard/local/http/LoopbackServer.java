package dev.runyard.local.http;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.Executor;

/// Creates HTTP servers of the JDK that listen on 127.0.0.1 only. Their settings are system
/// properties that are read once, so every server of the stack is created here; a property that is
/// already set stays.
public final class LoopbackServer {
  private static final int BACKLOG = 1_024;

  /// A connection is kept for longer than clients keep it, so that none sends on one that is being
  /// closed: the JDK's keep theirs for 30 s, Go's for 90.
  private static final int IDLE_SECONDS_MAX = 120;

  /// What is left of a body that was refused is read, or the connection would be reset before its
  /// sender has seen why.
  private static final int REFUSED_BYTES_MAX = 16 * 1024 * 1024;

  private static final Map<String, String> SETTINGS =
      Map.of(
          "sun.net.httpserver.drainAmount", Integer.toString(REFUSED_BYTES_MAX),
          "sun.net.httpserver.nodelay", "true",
          "sun.net.httpserver.maxIdleConnections", "1024",
          "sun.net.httpserver.idleInterval", Integer.toString(IDLE_SECONDS_MAX),
          "sun.net.httpserver.maxReqHeaders", "100",
          "sun.net.httpserver.maxReqHeaderSize", "32768",
          "sun.net.httpserver.maxReqTime", "60",
          "jdk.httpserver.maxConnections", "4096");

  private LoopbackServer() {}

  /// A server on a free port that passes requests to `handler`, on `threads`, except those that a
  /// web page could have caused.
  public static HttpServer start(Executor threads, HttpHandler handler) {
    HttpServer server = bind(0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          if (RequestGuard.namesThisMachine(exchange)
              && !exchange.getRequestHeaders().containsKey("Origin")) {
            handler.handle(exchange);
          } else {
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
          }
        });
    server.start();
    return server;
  }

  /// The address for clients.
  public static URI address(HttpServer server) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /// Fails if a program listens on the port, so that a start does not find out only at its end.
  ///
  /// @param port 0 is always free
  public static void requireFree(int port) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    } catch (IOException e) {
      throw inUse(port, e);
    }
  }

  /// Binds without starting.
  ///
  /// @param port 0 takes a free one
  public static HttpServer bind(int port) {
    SETTINGS.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
    try {
      return HttpServer.create(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    } catch (IOException e) {
      throw inUse(port, e);
    }
  }

  private static UncheckedIOException inUse(int port, IOException e) {
    return new UncheckedIOException(
        "cannot listen on 127.0.0.1:%d; stop the program that uses it, or choose another port"
            .formatted(port),
        e);
  }
}
