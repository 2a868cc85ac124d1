package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.functions.api.Handler;
import dev.runyard.functions.stream.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The routes in template.yaml are those the functions answer: one that stands in one place only is
/// named.
final class TemplateRoutesTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.ofEntries(
          Map.entry("AWS_REGION", "eu-west-1"),
          Map.entry("AWS_ACCESS_KEY_ID", "local"),
          Map.entry("AWS_SECRET_ACCESS_KEY", "local"),
          Map.entry("AWS_ENDPOINT_URL", "http://127.0.0.1:9"),
          Map.entry("RUNYARD_AGENTS", "{\"agents\":{}}"),
          Map.entry("RUNYARD_EVENTS_TABLE", "events"),
          Map.entry("RUNYARD_VIEWS_TABLE", "views"),
          Map.entry("RUNYARD_RETENTION_DAYS", "90"),
          Map.entry("RUNYARD_RUN_QUEUE_URL", "http://127.0.0.1:9/queue/x"),
          Map.entry("RUNYARD_ARTIFACTS_BUCKET", "artifacts"),
          Map.entry("RUNYARD_TAIL_MILLIS", "1000"));

  private final Handler api = new Handler(ENVIRONMENT);
  private final Server stream = new Server(ENVIRONMENT);

  @Test
  void eachFunctionAnswersTheRoutesItIsCalledFor() throws IOException {
    Map<String, Set<String>> answered =
        Map.of("ApiFunction", api.routes(), "StreamFunction", stream.routes());
    for (Map.Entry<String, JsonNode> function : SamTemplate.read().functions().entrySet()) {
      Set<String> called = routes(function.getValue());
      Set<String> known = answered.getOrDefault(function.getKey(), Set.of());
      assertEquals(Set.of(), without(called, known), function.getKey() + " does not answer");
      assertEquals(Set.of(), without(known, called), function.getKey() + " is never called for");
    }
  }

  /// `Allow` names the methods of a path whichever function answers them.
  @Test
  void refusesOtherMethodsWithThoseOfTheTemplate() throws Exception {
    Map<String, Set<String>> methods = new TreeMap<>();
    for (JsonNode function : SamTemplate.read().functions().values()) {
      for (String route : routes(function)) {
        String[] parts = route.split(" ", -1);
        methods.computeIfAbsent(parts[1], _ -> new TreeSet<>()).add(parts[0]);
      }
    }
    assertFalse(methods.isEmpty());
    for (String route : api.routes()) {
      String path = route.split(" ", -1)[1];
      var request = new APIGatewayProxyRequestEvent().withHttpMethod("DELETE").withPath(path);
      var answer = api.handleRequest(request, null);
      assertEquals(405, answer.getStatusCode(), path);
      assertEquals(allowed(methods, path), answer.getHeaders().get("Allow"), path);
    }
    HttpServer server = stream.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String route : stream.routes()) {
        String path = route.split(" ", -1)[1];
        String url =
            "http://127.0.0.1:" + server.getAddress().getPort() + path.replaceAll("[{}]", "");
        var request = HttpRequest.newBuilder(URI.create(url)).DELETE().build();
        var answer = client.send(request, BodyHandlers.ofString());
        assertEquals(405, answer.statusCode(), path);
        assertEquals(
            allowed(methods, path), answer.headers().firstValue("Allow").orElseThrow(), path);
      }
    } finally {
      server.stop(0);
    }
  }

  private static String allowed(Map<String, Set<String>> methods, String path) {
    return String.join(", ", methods.getOrDefault(path, Set.of()));
  }

  private static Set<String> routes(JsonNode function) {
    Set<String> routes = new TreeSet<>();
    for (JsonNode event : function.path("Events")) {
      if (event.path("Type").asText().equals("Api")) {
        JsonNode route = event.path("Properties");
        routes.add(route.path("Method").asText() + " " + route.path("Path").asText());
      }
    }
    return routes;
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(some);
    return left;
  }
}
