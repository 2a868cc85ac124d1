package dev.runyard.testkit.git;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The API for pull requests of one repository, on the loopback address, as its public reference
/// describes it: what it looks at, what it answers, and how it refuses.
public abstract sealed class ForgeServer implements AutoCloseable
    permits GitHubServer, GitLabServer {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Queue<Answer> next = new ConcurrentLinkedQueue<>(new ArrayDeque<>());
  private final CountDownLatch closed = new CountDownLatch(1);
  private final String token;
  private volatile Optional<String> silent = Optional.empty();
  private volatile boolean forgetful;

  /// The branches of this repository are those that pull requests may be of.
  protected final Repository repository;

  /// The pull requests, as they are answered.
  protected final List<ObjectNode> pulls = new CopyOnWriteArrayList<>();

  ForgeServer(Repository repository, String token) {
    this.repository = repository;
    this.token = token;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /// An answer.
  public record Answer(int status, JsonNode body, Map<String, String> headers) {
    static Answer of(int status, JsonNode body) {
      return new Answer(status, body, Map.of());
    }
  }

  /// The setting of the operator: which kind it is, and where.
  public abstract String setting();

  /// The address of its API.
  public abstract String api();

  /// The pull requests that there are.
  public List<ObjectNode> pulls() {
    return List.copyOf(pulls);
  }

  /// What it was asked for: methods and paths.
  public List<String> asked() {
    return List.copyOf(asked);
  }

  /// Answers the next call so, whatever it is.
  public void answers(int status, Map<String, String> headers) {
    next.add(
        new Answer(
            status, JsonNodeFactory.instance.objectNode().put("message", "<b>no</b>"), headers));
  }

  /// From now on does what it is asked for with this method, and does not say so.
  public void fallsSilent(String method) {
    silent = Optional.of(method);
  }

  /// From now on answers whoever asks.
  public void speaks() {
    silent = Optional.empty();
  }

  /// From now on lists no pull request, as a list does that lags behind.
  public void listsNothing() {
    forgetful = true;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  final String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The list for the query.
  abstract Answer list(Map<String, String> query);

  /// The list of those in a state, and of a branch if one is asked for.
  ///
  /// @param state `all` for any
  final Answer listed(
      String state, @Nullable String branch, Function<ObjectNode, JsonNode> branchOf) {
    ArrayNode found = JsonNodeFactory.instance.arrayNode();
    pulls.stream()
        .filter(pull -> state.equals("all") || state.equals(pull.path("state").asText()))
        .filter(pull -> branch == null || branch.equals(branchOf.apply(pull).asText()))
        .forEach(found::add);
    return Answer.of(200, found);
  }

  abstract Answer create(ObjectNode body);

  /// The raw path of the pull requests.
  abstract String path();

  final Optional<String> tip(String branch) {
    String id =
        repository.git("for-each-ref", "--format=%(objectname)", "refs/heads/" + branch).strip();
    return id.isEmpty() ? Optional.empty() : Optional.of(id);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      byte[] body = exchange.getRequestBody().readAllBytes();
      asked.add(method + " " + exchange.getRequestURI());
      Answer answer = answer(exchange, method, body);
      if (silent.filter(method::equals).isPresent()) {
        closed.await();
      }
      byte[] bytes = JSON.writeValueAsBytes(answer.body());
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(bytes);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Answer answer(HttpExchange exchange, String method, byte[] body) throws IOException {
    Answer planned = next.poll();
    if (planned != null) {
      return planned;
    }
    if (!("Bearer " + token).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      return refusal(401, "Bad credentials");
    }
    if (!exchange.getRequestURI().getRawPath().equals(path())) {
      return refusal(404, "Not Found");
    }
    synchronized (pulls) {
      return switch (method) {
        case "GET" ->
            forgetful
                ? Answer.of(200, JsonNodeFactory.instance.arrayNode())
                : list(query(exchange.getRequestURI().getRawQuery()));
        case "POST" -> create((ObjectNode) JSON.readTree(body));
        case String _ -> refusal(405, "Method Not Allowed");
      };
    }
  }

  static Answer refusal(int status, String message) {
    return Answer.of(status, JsonNodeFactory.instance.objectNode().put("message", message));
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    for (String part : Objects.requireNonNullElse(raw, "").split("&", -1)) {
      int at = part.indexOf('=');
      if (at > 0) {
        query.put(
            part.substring(0, at),
            URLDecoder.decode(part.substring(at + 1), StandardCharsets.UTF_8));
      }
    }
    return query;
  }
}
