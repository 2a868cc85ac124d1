package dev.runyard.testkit.git;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/// Repositories on the loopback address, served by git's own program for HTTP.
public final class GitServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Path root;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile Optional<String> credential = Optional.empty();
  private volatile Optional<String> redirect = Optional.empty();
  private volatile Optional<String> silent = Optional.empty();
  private volatile Optional<Hold> held = Optional.empty();
  private volatile Predicate<String> others = _ -> false;
  private volatile HttpHandler other = _ -> {};
  private final CountDownLatch closed = new CountDownLatch(1);

  private record Hold(String path, CountDownLatch over) {}

  /// @param root of the repositories
  public GitServer(Path root) {
    this.root = root;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /// Only who shows `user:password` gets an answer.
  public void wants(String userAndPassword) {
    credential = Optional.of(userAndPassword);
  }

  /// Sends everybody to another server.
  public void redirects(String to) {
    redirect = Optional.of(to);
  }

  /// From now on answers nobody.
  public void fallsSilent() {
    fallsSilent("/");
  }

  /// From now on answers nobody who asks for what begins with this path.
  public void fallsSilent(String path) {
    silent = Optional.of(path);
  }

  /// From now on lets whoever asks for what ends with this path wait until it speaks.
  public void holds(String path) {
    held = Optional.of(new Hold(path, new CountDownLatch(1)));
  }

  /// From now on answers whoever asks, and who was held.
  public void speaks() {
    silent = Optional.empty();
    held.ifPresent(hold -> hold.over().countDown());
  }

  /// Leaves some paths to another handler, whoever asks.
  public void leaves(Predicate<String> paths, HttpHandler to) {
    others = paths;
    other = to;
  }

  public String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  public String url(String repository) {
    return "http://" + host() + "/" + repository;
  }

  /// The paths it was asked for.
  public List<String> asked() {
    return List.copyOf(asked);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.add(exchange.getRequestURI().getPath());
      if (silent.filter(exchange.getRequestURI().getPath()::startsWith).isPresent()) {
        closed.await();
        return;
      }
      Optional<Hold> hold =
          held.filter(it -> exchange.getRequestURI().getPath().endsWith(it.path()));
      if (hold.isPresent()) {
        hold.get().over().await();
      }
      if (others.test(exchange.getRequestURI().getPath())) {
        other.handle(exchange);
        return;
      }
      if (redirect.isPresent()) {
        exchange
            .getResponseHeaders()
            .set("Location", redirect.get() + exchange.getRequestURI().toString());
        exchange.sendResponseHeaders(302, -1);
        return;
      }
      String shown = exchange.getRequestHeaders().getFirst("Authorization");
      Optional<String> wanted =
          credential.map(
              it ->
                  "Basic "
                      + Base64.getEncoder().encodeToString(it.getBytes(StandardCharsets.UTF_8)));
      if (wanted.isPresent() && !wanted.get().equals(shown)) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      answer(exchange);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("git", "http-backend");
    Map<String, String> variables = builder.environment();
    variables.put("GIT_CONFIG_GLOBAL", "/dev/null");
    variables.put("GIT_CONFIG_COUNT", "1");
    variables.put("GIT_CONFIG_KEY_0", "safe.directory");
    variables.put("GIT_CONFIG_VALUE_0", "*");
    variables.put("GIT_CONFIG_PARAMETERS", Repository.NO_BACKGROUND);
    variables.put("GIT_PROJECT_ROOT", root.toString());
    variables.put("GIT_HTTP_EXPORT_ALL", "1");
    variables.put("REQUEST_METHOD", exchange.getRequestMethod());
    variables.put("PATH_INFO", exchange.getRequestURI().getPath());
    variables.put(
        "QUERY_STRING", Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), ""));
    header(exchange, "Content-Type").ifPresent(it -> variables.put("CONTENT_TYPE", it));
    header(exchange, "Content-Encoding")
        .ifPresent(it -> variables.put("HTTP_CONTENT_ENCODING", it));
    header(exchange, "Git-Protocol").ifPresent(it -> variables.put("GIT_PROTOCOL", it));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (OutputStream in = process.getOutputStream()) {
      exchange.getRequestBody().transferTo(in);
    }
    try (InputStream out = process.getInputStream()) {
      int status = 200;
      for (String line = line(out); !line.isEmpty(); line = line(out)) {
        int colon = line.indexOf(':');
        String name = line.substring(0, colon);
        String value = line.substring(colon + 1).strip();
        if (name.equals("Status")) {
          status = Integer.parseInt(value.substring(0, 3));
        } else {
          exchange.getResponseHeaders().add(name, value);
        }
      }
      exchange.sendResponseHeaders(status, 0);
      out.transferTo(exchange.getResponseBody());
    } finally {
      process.destroy();
    }
  }

  private static Optional<String> header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
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
}
