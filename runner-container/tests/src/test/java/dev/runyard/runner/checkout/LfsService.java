package dev.runyard.runner.checkout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.testkit.git.GitServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A server of Git LFS as the description of its batch interface has it: it says where contents are
/// and gives them, to who shows a password. It is a part of a server of repositories.
final class LfsService implements AutoCloseable {
  private static final String MEDIA = "application/vnd.git-lfs+json";

  private final GitServer server;
  private final Map<String, byte[]> contents = new TreeMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Optional<String> password = Optional.empty();
  private volatile UnaryOperator<String> place = UnaryOperator.identity();
  private volatile UnaryOperator<String> away = UnaryOperator.identity();
  private volatile boolean silent;

  /// @param server at which it is
  LfsService(GitServer server) {
    this.server = server;
    server.leaves(
        path ->
            path.contains("/info/lfs/")
                || path.startsWith("/content/")
                || path.startsWith("/away/"),
        this::serve);
  }

  void wants(String userAndPassword) {
    password =
        Optional.of(
            "Basic "
                + Base64.getEncoder()
                    .encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8)));
  }

  /// Names other places for contents than its own.
  void names(UnaryOperator<String> other) {
    place = other;
  }

  /// Sends on from `/away/` to other places than its own.
  void sendsOn(UnaryOperator<String> other) {
    away = other;
  }

  /// From now on says where contents are and gives none.
  void fallsSilent() {
    silent = true;
  }

  /// Keeps a content; its pointer.
  String keeps(byte[] content) {
    String oid = sha256(content);
    contents.put(oid, content);
    return pointer(oid, content.length);
  }

  /// Gives another content for a pointer than the one that it is of.
  void exchanges(String pointer, byte[] content) {
    contents.put(pointer.substring(pointer.indexOf("sha256:") + 7).substring(0, 64), content);
  }

  static String pointer(String oid, long size) {
    return "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n"
        .formatted(oid, size);
  }

  List<String> asked() {
    return List.copyOf(asked);
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String shown =
          Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "");
      asked.add(path + (shown.isEmpty() ? "" : " with a password"));
      if (password.filter(wanted -> !wanted.equals(shown)).isPresent()) {
        answer(exchange, 401, "{\"message\":\"Credentials needed\"}");
      } else if (path.endsWith(".git/info/lfs/objects/batch")) {
        batch(exchange);
      } else if (path.startsWith("/away/")) {
        exchange
            .getResponseHeaders()
            .set("Location", away.apply(server.url("content/" + path.substring(6))));
        exchange.sendResponseHeaders(302, -1);
      } else if (path.startsWith("/content/")) {
        content(exchange, contents.get(path.substring(9)));
      } else {
        answer(exchange, 404, "{}");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void content(HttpExchange exchange, byte @Nullable [] content)
      throws IOException, InterruptedException {
    if (silent) {
      closed.await();
    }
    if (content == null) {
      answer(exchange, 404, "{}");
      return;
    }
    exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
    exchange.getResponseBody().write(content);
  }

  private void batch(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")
        || !MEDIA.equals(exchange.getRequestHeaders().getFirst("Content-Type"))
        || !MEDIA.equals(exchange.getRequestHeaders().getFirst("Accept"))) {
      answer(exchange, 406, "{}");
      return;
    }
    JsonNode question = JsonFormat.JSON.readTree(exchange.getRequestBody());
    ObjectNode answer = JsonFormat.JSON.createObjectNode().put("transfer", "basic");
    ArrayNode objects = answer.putArray("objects");
    for (JsonNode object : question.path("objects")) {
      String oid = object.path("oid").asText();
      ObjectNode one =
          objects.addObject().put("oid", oid).put("size", object.path("size").asLong());
      if (contents.containsKey(oid)) {
        ObjectNode download = one.putObject("actions").putObject("download");
        download.put("href", place.apply(server.url("content/" + oid)));
        download.putObject("header").put("X-Key", "value").put("Host", "evil");
      } else {
        one.putObject("error").put("code", 404).put("message", "Object does not exist");
      }
    }
    answer(
        exchange, question.path("operation").asText().equals("download") ? 200 : 422, "" + answer);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", MEDIA);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
