package dev.runyard.bench.section;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Repositories on the loopback address, served by git's own program for HTTP.
final class HttpRepositories implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Path root;

  HttpRepositories(Path root) throws IOException {
    this.root = root;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  String url(String repository) {
    return "http://127.0.0.1:%d/%s".formatted(server.getAddress().getPort(), repository);
  }

  private void serve(HttpExchange exchange) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
    builder
        .environment()
        .putAll(
            Map.of(
                "GIT_PROJECT_ROOT", root.toString(),
                "GIT_HTTP_EXPORT_ALL", "1",
                "GIT_PROTOCOL", header(exchange, "Git-Protocol"),
                "REQUEST_METHOD", exchange.getRequestMethod(),
                "PATH_INFO", exchange.getRequestURI().getPath(),
                "QUERY_STRING",
                    Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), ""),
                "CONTENT_TYPE", header(exchange, "Content-Type"),
                "HTTP_CONTENT_ENCODING", header(exchange, "Content-Encoding")));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (exchange;
        InputStream out = process.getInputStream()) {
      try (OutputStream in = process.getOutputStream()) {
        exchange.getRequestBody().transferTo(in);
      }
      int status = 200;
      for (String line = line(out); !line.isEmpty(); line = line(out)) {
        String[] parts = line.split(": ", 2);
        if (parts[0].equals("Status")) {
          status = Integer.parseInt(parts[1].substring(0, 3));
        } else {
          exchange.getResponseHeaders().add(parts[0], parts[1]);
        }
      }
      exchange.sendResponseHeaders(status, 0);
      out.transferTo(exchange.getResponseBody());
    } finally {
      process.destroy();
    }
  }

  private static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
