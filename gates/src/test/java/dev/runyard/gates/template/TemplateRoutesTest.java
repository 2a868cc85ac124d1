package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.functions.api.Handler;
import dev.runyard.functions.stream.Server;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The routes in template.yaml are those the functions answer: one that stands in one place only is
/// named.
@Reads(SamTemplate.FILE)
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
  private final dev.runyard.functions.manage.Handler manage =
      new dev.runyard.functions.manage.Handler(ENVIRONMENT);
  private final Server stream = new Server(ENVIRONMENT);

  @Gate
  @Breach(
      replace = "Path: /v1/agents }",
      by = "Path: /v1/bots }",
      named = "ApiFunction answers no [GET /v1/bots] and is not called for [GET /v1/agents]")
  @Breach(
      replace = "Events:\n        RunEvents:",
      by =
          "Events:\n        Ping: { Type: Api, Properties: { Method: GET, Path: /ping } }"
              + "\n        RunEvents:",
      named = "StreamFunction answers no [GET /ping]")
  void eachFunctionAnswersTheRoutesItIsCalledFor(Repository repository) {
    Map<String, Set<String>> answered =
        Map.of(
            "ApiFunction", api.routes(),
            "ManageFunction", manage.routes(),
            "StreamFunction", stream.routes());
    List<String> wrong = new ArrayList<>();
    SamTemplate.of(repository)
        .functions()
        .forEach(
            (id, function) -> {
              Set<String> called = SamTemplate.routes(function).keySet();
              Set<String> known = answered.getOrDefault(id, Set.of());
              if (!called.equals(known)) {
                wrong.add(
                    "%s answers no %s and is not called for %s"
                        .formatted(id, without(called, known), without(known, called)));
              }
            });
    assertEquals(List.of(), wrong);
  }

  /// `Allow` names the methods of a path whichever function answers them.
  @Gate
  @Breach(
      replace = "Method: POST, Path: \"/v1/actions/{id}\"",
      by = "Method: PUT, Path: \"/v1/actions/{id}\"",
      named = "/v1/actions/{id} ==> expected: <PUT> but was: <POST>")
  @Breach(
      replace = "Method: GET\n            Path: /v1/runs/{id}/events",
      by = "Method: PUT\n            Path: /v1/runs/{id}/events",
      named = "/v1/runs/{id}/events ==> expected: <PUT> but was: <GET>")
  void refusesOtherMethodsWithThoseOfTheTemplate(Repository repository) throws Exception {
    Map<String, Set<String>> methods = new TreeMap<>();
    for (String route : SamTemplate.of(repository).routes().keySet()) {
      String[] parts = route.split(" ", -1);
      methods.computeIfAbsent(parts[1], _ -> new TreeSet<>()).add(parts[0]);
    }
    assertFalse(methods.isEmpty());
    for (String route : api.routes()) {
      refusesOtherMethods(methods, route, api);
    }
    for (String route : manage.routes()) {
      refusesOtherMethods(methods, route, manage);
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

  private static void refusesOtherMethods(
      Map<String, Set<String>> methods,
      String route,
      RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> function) {
    String path = route.split(" ", -1)[1];
    var request = new APIGatewayProxyRequestEvent().withHttpMethod("TRACE").withPath(path);
    var answer = function.handleRequest(request, null);
    assertEquals(405, answer.getStatusCode(), path);
    assertEquals(allowed(methods, path), answer.getHeaders().get("Allow"), path);
  }

  private static String allowed(Map<String, Set<String>> methods, String path) {
    return String.join(", ", methods.getOrDefault(path, Set.of()));
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(some);
    return left;
  }
}
