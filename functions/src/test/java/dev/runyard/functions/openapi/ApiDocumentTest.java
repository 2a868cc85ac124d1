package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.Described;
import dev.runyard.functions.api.Handler;
import dev.runyard.functions.stream.Server;
import dev.runyard.testkit.openapi.DescribedApi;
import dev.runyard.testkit.openapi.DescribedOperation;
import dev.runyard.testkit.openapi.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The description is that of the routes, and says of each all there is to say.
final class ApiDocumentTest {
  private static final Path PAGE = Path.of("..", "docs", "openapi.json");
  private static final String ANY_BODY = "/requestBody/content/*~1*";
  private static final ObjectWriter WRITER =
      JsonFormat.JSON.writer().with(SerializationFeature.INDENT_OUTPUT);
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

  private final JsonNode document = ApiDocument.json();

  @Test
  void describesEachRouteWithItsScope() {
    Map<String, Optional<String>> routes = new TreeMap<>();
    new Handler(ENVIRONMENT).scopes().forEach((route, scope) -> put(routes, route, scope));
    new dev.runyard.functions.manage.Handler(ENVIRONMENT)
        .scopes()
        .forEach((route, scope) -> put(routes, route, scope));
    new Server(ENVIRONMENT).scopes().forEach((route, scope) -> put(routes, route, scope));
    Map<String, Optional<String>> described = new TreeMap<>();
    for (DescribedOperation operation : Described.API.operations()) {
      described.put(operation.method() + " " + operation.path(), operation.scope());
    }

    assertEquals(lines(routes), lines(described), "add the fragment of the route");
  }

  private static void put(
      Map<String, Optional<String>> routes, String route, Optional<Scope> scope) {
    routes.put(route.replace("+}", "}"), scope.map(Scope::wire));
  }

  private static String lines(Map<String, Optional<String>> routes) {
    return String.join(
        "\n", routes.entrySet().stream().map(r -> r.getKey() + " " + r.getValue()).toList());
  }

  @Test
  void declaresEveryCode() {
    Set<String> declared = new TreeSet<>();
    document
        .at("/components/examples")
        .forEach(example -> declared.add(example.at("/value/code").asText()));

    assertEquals(
        List.of(),
        Arrays.stream(ProblemCode.values())
            .map(ProblemCode::code)
            .filter(code -> !declared.contains(code))
            .toList());
  }

  @Test
  void detailsAreOfCodes() {
    JsonNode details = Fragments.read().base().path("x-details");

    assertFalse(details.isEmpty());
    details
        .fieldNames()
        .forEachRemaining(code -> assertTrue(document.at("/components/examples").has(code), code));
  }

  @Test
  void eachOperationHasExamplesThatAreAsDescribed() {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : Described.API.operations()) {
      JsonNode request = operation.json().at("/requestBody/content/application~1json");
      if (operation.json().has("requestBody") && !operation.json().at(ANY_BODY).isObject()) {
        examples(request)
            .forEach(
                example ->
                    Described.API
                        .requestErrors(operation, example)
                        .forEach(error -> wrong.add(operation.id() + ": " + error)));
        if (examples(request).isEmpty()) {
          wrong.add(operation.id() + " has no example of a request");
        }
      }
      for (var response : operation.json().path("responses").properties()) {
        for (var media : response.getValue().path("content").properties()) {
          wrong.addAll(answers(operation, response.getKey(), media.getKey(), media.getValue()));
        }
      }
    }

    assertEquals(List.of(), wrong);
  }

  private List<String> answers(
      DescribedOperation operation, String status, String type, JsonNode media) {
    List<JsonNode> examples = examples(media);
    if (examples.isEmpty()) {
      return List.of("%s %s has no example".formatted(operation.id(), status));
    }
    List<String> wrong = new ArrayList<>();
    for (JsonNode example : examples) {
      if (type.endsWith("json")) {
        Described.API
            .answerErrors(operation, status, type, example)
            .forEach(error -> wrong.add("%s %s: %s".formatted(operation.id(), status, error)));
      }
    }
    return wrong;
  }

  private List<JsonNode> examples(JsonNode media) {
    List<JsonNode> examples = new ArrayList<>();
    if (media.has("example")) {
      examples.add(media.get("example"));
    }
    for (JsonNode named : media.path("examples")) {
      String ref = named.path("$ref").asText();
      examples.add((ref.isEmpty() ? named : document.at(ref.substring(1))).get("value"));
    }
    return examples;
  }

  @Test
  void isInTheDocumentation() throws IOException {
    String made = WRITER.writeValueAsString(document) + "\n";
    if (Boolean.getBoolean("runyard.openapi.write")) {
      Files.writeString(PAGE, made);
    }

    assertEquals(
        made,
        Files.readString(PAGE),
        "write it: mvn -pl functions -am test -Dtest=ApiDocumentTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Drunyard.openapi.write=true");
  }

  @Test
  void referencesAndNamesAreRight() {
    List<String> wrong = new ArrayList<>();
    document
        .findValuesAsText("$ref")
        .forEach(
            ref -> {
              if (document.at(ref.substring(1)).isMissingNode()) {
                wrong.add(ref);
              }
            });
    Set<String> ids = new TreeSet<>();
    for (DescribedOperation operation : Described.API.operations()) {
      if (!ids.add(operation.id())) {
        wrong.add(operation.id() + " is there twice");
      }
      for (String member : List.of("summary", "tags", "responses")) {
        if (!operation.json().has(member)) {
          wrong.add(operation.id() + " has no " + member);
        }
      }
    }
    for (var schema : document.at("/components/schemas").properties()) {
      String ref = "\"#/components/schemas/%s\"".formatted(schema.getKey());
      if (!document.toString().contains(ref)) {
        wrong.add("nothing refers to " + schema.getKey());
      }
    }

    assertEquals(List.of(), wrong);
  }

  /// Generators of clients take an object without a word on its members for one that has none, and
  /// a member with a default for one that is always there.
  @Test
  void schemasMeanTheSameToGenerators() {
    List<String> wrong = new ArrayList<>();
    for (var schema : document.at("/components/schemas").properties()) {
      look(schema.getKey(), schema.getValue(), wrong);
    }

    assertEquals(List.of(), wrong);
  }

  private static void look(String at, JsonNode schema, List<String> wrong) {
    boolean object = schema.path("type").toString().contains("\"object\"");
    if (object && !schema.has("properties") && !schema.has("additionalProperties")) {
      wrong.add(at + " needs properties, or additionalProperties");
    }
    if (schema.has("default")) {
      wrong.add(at + " has a default: say it in its description");
    }
    schema
        .properties()
        .forEach(member -> look(at + "/" + member.getKey(), member.getValue(), wrong));
  }

  @Test
  void whatIsNotDescribedIsFound() {
    String run =
        document
            .at("/paths/~1v1~1runs/post/responses/202/content/application~1json/example")
            .toString();
    Map<String, String> headers = Map.of("Content-Type", "application/json", "Location", "/x");

    assertEquals(List.of(), errors("POST", "/v1/runs", 202, headers, run));
    assertEquals(1, errors("POST", "/v1/runs", 201, headers, run).size());
    assertEquals(1, errors("POST", "/v1/runs", 202, Map.of("Location", "/x"), run).size());
    assertEquals(
        1, errors("POST", "/v1/runs", 202, Map.of("Content-Type", "application/json"), run).size());
    assertFalse(
        errors("POST", "/v1/runs", 202, headers, run.replace("\"attempt\":0", "\"tries\":0"))
            .isEmpty());
    assertFalse(
        errors("POST", "/v1/runs", 202, headers, run.replace("{\"run_id", "{\"more\":1,\"run_id"))
            .isEmpty());
    assertEquals(1, errors("POST", "/v1/runs?x=1", 202, headers, run).size());
    assertEquals(1, errors("GET", "/v1/nothing", 200, headers, "{}").size());
  }

  @Test
  void whatGoesSaysSo() {
    ObjectNode going = ApiDocument.json();
    ((ObjectNode) going.at("/paths/~1ping/get")).put("deprecated", true);
    Map<String, String> type = Map.of("Content-Type", "application/json");
    Map<String, String> told = new TreeMap<>(type);
    told.putAll(Map.of("Deprecation", "@1", "Sunset", "x", "Link", "y"));

    assertEquals(3, new DescribedApi(going).errors(ping(type)).size());
    assertEquals(List.of(), new DescribedApi(going).errors(ping(told)));
  }

  private static Exchange ping(Map<String, String> headers) {
    return new Exchange(
        "GET",
        "/ping",
        Optional.empty(),
        200,
        headers,
        Optional.of("{}".getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> errors(
      String method, String target, int status, Map<String, String> headers, String body) {
    return Described.API.errors(
        new Exchange(
            method,
            target,
            Optional.empty(),
            status,
            headers,
            Optional.of(body.getBytes(StandardCharsets.UTF_8))));
  }
}
