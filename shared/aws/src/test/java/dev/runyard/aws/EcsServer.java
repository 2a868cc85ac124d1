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

/// The part of ECS that a fleet uses: RunTask with client tokens, and DescribeTasks with the same
/// limit as ECS.
final class EcsServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DESCRIBE_MAX = 100;
  private final HttpServer server;
  private final Map<String, JsonNode> byToken = new HashMap<>();
  private final Map<String, String> tasks = new HashMap<>();
  private final Map<String, String> stopped = new HashMap<>();
  private final List<JsonNode> requests = new ArrayList<>();
  private Optional<Reply> fault = Optional.empty();
  private Optional<String> full = Optional.empty();
  private int started;

  EcsServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// The task stops before its container has started.
  synchronized void stop(String task, String reason) {
    stopped.put(task, reason);
  }

  /// Answers every request from now on with `status` and `body`.
  synchronized void fail(int status, String body) {
    fault = Optional.of(new Reply(status, body));
  }

  /// Finds no place from now on for a task whose token is new.
  synchronized void fill(String reason) {
    full = Optional.of(reason);
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
    return target.endsWith(".RunTask") ? run(request) : describe(request);
  }

  private Reply run(JsonNode request) {
    String token = request.get("clientToken").textValue();
    if (full.isPresent() && !byToken.containsKey(token)) {
      ObjectNode none = JSON.createObjectNode();
      none.putArray("tasks");
      none.putArray("failures").addObject().put("reason", full.get());
      return new Reply(200, none.toString());
    }
    JsonNode earlier = byToken.putIfAbsent(token, request);
    if (earlier != null && !earlier.equals(request)) {
      ObjectNode conflict = JSON.createObjectNode();
      conflict.put("__type", "ConflictException").put("message", "token");
      conflict.putArray("resourceIds").add(tasks.get(token));
      return new Reply(400, conflict.toString());
    }
    String arn =
        tasks.computeIfAbsent(
            token, _ -> "arn:aws:ecs:us-east-1:000000000000:task/runners/" + ++started);
    ObjectNode body = JSON.createObjectNode();
    body.putArray("tasks").addObject().put("taskArn", arn).put("lastStatus", "PROVISIONING");
    return new Reply(200, body.toString());
  }

  private Reply describe(JsonNode request) {
    if (request.get("tasks").size() > DESCRIBE_MAX) {
      return new Reply(400, "{\"__type\":\"InvalidParameterException\",\"message\":\"tasks\"}");
    }
    ObjectNode body = JSON.createObjectNode();
    ArrayNode found = body.putArray("tasks");
    ArrayNode failures = body.putArray("failures");
    for (JsonNode name : request.get("tasks")) {
      String arn = name.textValue();
      if (!tasks.containsValue(arn)) {
        failures.addObject().put("arn", arn).put("reason", "MISSING");
        continue;
      }
      ObjectNode task = found.addObject().put("taskArn", arn);
      task.put("lastStatus", stopped.containsKey(arn) ? "STOPPED" : "RUNNING");
      if (stopped.containsKey(arn)) {
        task.put("stopCode", "TaskFailedToStart").put("stoppedReason", stopped.get(arn));
      }
    }
    return new Reply(200, body.toString());
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private record Reply(int status, String body) {}
}
