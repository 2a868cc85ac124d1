package dev.runyard.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Calls its own server, in the wire format that a test is about.
final class WireClient implements AutoCloseable {

  static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  final ScriptedModelServer server;

  WireClient() {
    server = ScriptedModelServer.start(0, _ -> {});
  }

  HttpResponse<String> post(String path, JsonNode body) throws Exception {
    return http.send(
        to(path).POST(HttpRequest.BodyPublishers.ofString(body.toString())).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> send(String method, String path) throws Exception {
    return http.send(
        to(path).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  JsonNode whole(String path, JsonNode body) throws Exception {
    HttpResponse<String> response = post(path, body);
    assertEquals(200, response.statusCode());
    return JSON.readTree(response.body());
  }

  /// The data of each event; an event that has a name repeats it as its type.
  List<JsonNode> events(String path, JsonNode body) throws Exception {
    HttpResponse<String> response = post(path, body);
    assertEquals(200, response.statusCode());
    List<JsonNode> events = new ArrayList<>();
    String name = "";
    for (String line : response.body().lines().toList()) {
      if (line.startsWith("event: ")) {
        name = line.substring("event: ".length());
      } else if (line.startsWith("data: {")) {
        JsonNode data = JSON.readTree(line.substring("data: ".length()));
        assertEquals(name, name.isEmpty() ? "" : data.path("type").asText());
        events.add(data);
      }
    }
    return events;
  }

  static String joined(List<JsonNode> events, String pointer) {
    return events.stream().map(event -> event.at(pointer).asText("")).collect(Collectors.joining());
  }

  /// JSON with `'` for `"`.
  static ObjectNode json(String text) throws IOException {
    return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(server.origin() + path));
  }

  @Override
  public void close() {
    http.shutdownNow();
    server.close();
  }
}
