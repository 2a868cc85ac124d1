package dev.runyard.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// As much of ECS as a fleet uses: RunTask with client tokens, and ListTasks in small pages.
final class EcsServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAGE = 2;
  private final HttpServer server;
  private final Map<String, JsonNode> byToken = new HashMap<>();
  private final List<String> tasks = new ArrayList<>();
  private final List<JsonNode> requests = new ArrayList<>();
  private Optional<Reply> fault = Optional.empty();
  private int started;

  EcsServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized void stopTasks(int count) {
    tasks.subList(0, count).clear();
  }

  /// Answers every request from now on with `status` and `body`.
  synchronized void fail(int status, String body) {
    fault = Optional.of(new Reply(status, body));
  }

  synchronized List<JsonNode> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    Reply reply = reply(target, JSON.readTree(exchange.getRequestBody()));
    byte[] body = JSON.writeValueAsBytes(JSON.readTree(reply.body()));
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
    exchange.sendResponseHeaders(reply.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private synchronized Reply reply(String target, JsonNode request) {
    requests.add(request);
    if (fault.isPresent()) {
      return fault.get();
    }
    return target.endsWith(".RunTask") ? run(request) : list(request);
  }

  private Reply run(JsonNode request) {
    JsonNode earlier = byToken.putIfAbsent(request.get("clientToken").textValue(), request);
    if (earlier != null && !earlier.equals(request)) {
      return new Reply(400, "{\"__type\":\"ConflictException\",\"message\":\"token\"}");
    }
    if (earlier == null) {
      for (int i = 0; i < request.get("count").intValue(); i++) {
        tasks.add("arn:aws:ecs:us-east-1:000000000000:task/runners/" + ++started);
      }
    }
    return new Reply(200, "{\"tasks\":[],\"failures\":[]}");
  }

  private Reply list(JsonNode request) {
    int from = request.path("nextToken").asInt(0);
    int to = Math.min(tasks.size(), from + PAGE);
    ObjectNode page = JSON.createObjectNode();
    ArrayNode arns = page.putArray("taskArns");
    tasks.subList(from, to).forEach(arns::add);
    if (to < tasks.size()) {
      page.put("nextToken", Integer.toString(to));
    }
    return new Reply(200, page.toString());
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private record Reply(int status, String body) {}
}
