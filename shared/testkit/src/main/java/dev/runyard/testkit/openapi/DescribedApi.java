package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An API as it is described. Every answer must be declared, with its status, its media type and
/// its body, and every request that was accepted must be one of those described. It keeps which
/// answers it has seen.
public final class DescribedApi {
  private static final String EVENTS = "text/event-stream";
  private static final String REQUEST = "/requestBody/content/application~1json/schema";
  private static final List<String> DEPRECATED = List.of("deprecation", "sunset", "link");
  private static final String PROBLEM = "application/problem+json";

  private final JsonNode document;
  private final List<DescribedOperation> operations;
  private final DescribedSchemas requests;
  private final DescribedSchemas answers;
  private final Set<String> seen = new ConcurrentSkipListSet<>();

  /// @param document in OpenAPI 3.1
  public DescribedApi(JsonNode document) {
    this.document = inlined(document);
    this.operations = DescribedOperation.all(this.document);
    this.requests = DescribedSchemas.open(this.document);
    this.answers = DescribedSchemas.closed(this.document);
  }

  /// The description with each response where it is answered.
  private static JsonNode inlined(JsonNode document) {
    JsonNode copy = document.deepCopy();
    for (JsonNode path : copy.path("paths")) {
      for (JsonNode operation : path) {
        for (var response : operation.path("responses").properties()) {
          String ref = response.getValue().path("$ref").asText();
          if (!ref.isEmpty()) {
            response.setValue(copy.at(ref.substring(1)).deepCopy());
          }
        }
      }
    }
    return copy;
  }

  public List<DescribedOperation> operations() {
    return List.copyOf(operations);
  }

  /// What was answered so far: `getRun 200`, and for refusals `getRun run_not_found`.
  public Set<String> seen() {
    return new TreeSet<>(seen);
  }

  /// Fails if the exchange is not as it is described.
  public void check(Exchange exchange) {
    List<String> errors = errors(exchange);
    if (!errors.isEmpty()) {
      throw new AssertionError("not as described: " + exchange + "\n" + String.join("\n", errors));
    }
  }

  /// Fails if an event of a stream is not as it is described.
  public void checkEvent(String method, String path, String data) {
    DescribedOperation operation = find(method, path).orElseThrow();
    List<String> errors = event(operation, "200", data);
    if (!errors.isEmpty()) {
      throw new AssertionError("not as described: " + data + "\n" + String.join("\n", errors));
    }
  }

  /// The operation that answers.
  public Optional<DescribedOperation> find(String method, String path) {
    List<String> given = List.of(path.split("/", -1));
    return operations.stream()
        .filter(operation -> operation.method().equals(method) && operation.matches(given))
        .findFirst();
  }

  /// What is wrong with a body of a request, by the schema alone.
  public List<String> requestErrors(DescribedOperation operation, JsonNode body) {
    return requests.errors(operation.pointer() + REQUEST, body);
  }

  /// Whether the schema of a parameter allows a text: a number in digits, or any other text.
  public boolean parameterAllows(JsonNode given, String text) {
    JsonNode schema = resolved(given);
    if (schema.path("type").asText().equals("integer")) {
      return text.matches("[0-9]{1,18}")
          && Long.parseLong(text) >= schema.path("minimum").asLong(Long.MIN_VALUE)
          && Long.parseLong(text) <= schema.path("maximum").asLong(Long.MAX_VALUE);
    }
    if (schema.has("enum")) {
      return schema.path("enum").toString().contains("\"" + text + "\"");
    }
    return text.length() >= schema.path("minLength").asInt(0)
        && text.length() <= schema.path("maxLength").asInt(Integer.MAX_VALUE)
        && Pattern.compile(schema.path("pattern").asText("")).matcher(text).find();
  }

  /// What is wrong with a JSON body of an answer.
  public List<String> answerErrors(
      DescribedOperation operation, String status, String media, JsonNode body) {
    return answers.errors(
        "%s/responses/%s/content/%s/schema"
            .formatted(operation.pointer(), status, media.replace("/", "~1")),
        body);
  }

  /// How an exchange differs from the description.
  public List<String> errors(Exchange exchange) {
    Optional<DescribedOperation> found = find(exchange.method(), exchange.path());
    if (found.isEmpty()) {
      return elsewhere(exchange);
    }
    DescribedOperation operation = found.get();
    String status = String.valueOf(exchange.status());
    JsonNode response = operation.json().path("responses").path(status);
    if (response.isMissingNode()) {
      return List.of("the status %s is not declared for %s".formatted(status, operation.id()));
    }
    List<String> errors = new ArrayList<>(headers(response, exchange));
    if (operation.json().path("deprecated").asBoolean()) {
      DEPRECATED.stream()
          .filter(header -> !exchange.headers().containsKey(header))
          .forEach(header -> errors.add("what goes says so in the header " + header));
    }
    errors.addAll(body(operation, status, response, exchange));
    if (exchange.status() < 300) {
      errors.addAll(accepted(operation, exchange));
    }
    if (errors.isEmpty()) {
      keep(operation, response, exchange);
    }
    return errors;
  }

  private void keep(DescribedOperation operation, JsonNode response, Exchange exchange) {
    if (response.has("x-result")) {
      seen.add(operation.id() + " " + exchange.status());
    } else {
      seen.add(operation.id() + " " + exchange.code());
    }
  }

  private List<String> headers(JsonNode response, Exchange exchange) {
    List<String> errors = new ArrayList<>();
    for (var header : response.path("headers").properties()) {
      JsonNode described = resolved(header.getValue());
      boolean there = exchange.headers().containsKey(header.getKey().toLowerCase(Locale.ROOT));
      if (described.path("required").asBoolean() && !there) {
        errors.add("the header %s is missing".formatted(header.getKey()));
      }
    }
    return errors;
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").textValue().substring(1)) : node;
  }

  private List<String> body(
      DescribedOperation operation, String status, JsonNode response, Exchange exchange) {
    JsonNode content = response.path("content");
    if (content.isEmpty()) {
      return exchange.body().filter(body -> body.length > 0).isPresent()
          ? List.of("a body is not declared")
          : List.of();
    }
    String declared = null;
    for (var media : content.properties()) {
      String type = media.getKey().split(";", 2)[0];
      if (type.equals(exchange.mediaType()) || type.equals("*/*")) {
        declared = media.getKey();
      }
    }
    if (declared == null) {
      return List.of("the media type %s is not declared".formatted(exchange.mediaType()));
    }
    if (exchange.body().isEmpty()) {
      return List.of();
    }
    if (declared.equals(EVENTS)) {
      return exchange
          .text()
          .lines()
          .filter(line -> line.startsWith("data: "))
          .flatMap(line -> event(operation, status, line.substring("data: ".length())).stream())
          .toList();
    }
    if (!declared.endsWith("json")) {
      return List.of();
    }
    JsonNode answer = Exchange.json(exchange.body().get());
    return both(answerErrors(operation, status, declared, answer), StandardEvents.errors(answer));
  }

  private static List<String> both(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }

  private List<String> event(DescribedOperation operation, String status, String data) {
    JsonNode event = Exchange.json(data.getBytes(StandardCharsets.UTF_8));
    String pointer =
        "%s/responses/%s/content/text~1event-stream/x-event".formatted(operation.pointer(), status);
    return both(answers.errors(pointer, event), StandardEvents.errors(event));
  }

  /// What a request has that is not described, although it was accepted.
  private List<String> accepted(DescribedOperation operation, Exchange exchange) {
    List<String> errors = new ArrayList<>(query(operation, exchange.query()));
    byte[] sent = exchange.sent().orElse(new byte[0]);
    boolean json = operation.json().at("/requestBody/content").has("application/json");
    if (sent.length > 0 && json) {
      requestErrors(operation, Exchange.json(sent))
          .forEach(error -> errors.add("accepted although " + error));
    }
    return errors;
  }

  private List<String> query(DescribedOperation operation, String query) {
    List<String> errors = new ArrayList<>();
    if (query.isEmpty() || operation.json().path("x-ignores-unknown").asBoolean()) {
      return errors;
    }
    for (String pair : query.split("&", -1)) {
      String name = URLDecoder.decode(pair.split("=", 2)[0], StandardCharsets.UTF_8);
      boolean known = false;
      for (JsonNode parameter : operation.json().path("parameters")) {
        JsonNode described = resolved(parameter);
        known |=
            described.path("in").asText().equals("query")
                && described.path("name").asText().equals(name);
      }
      if (!known) {
        errors.add("accepted although the parameter %s is not declared".formatted(name));
      }
    }
    return errors;
  }

  /// Where there is no operation. What the same server has besides the API is not looked at.
  private List<String> elsewhere(Exchange exchange) {
    String root = exchange.path().split("/", 3)[1];
    if (operations.stream().noneMatch(operation -> operation.segments().get(1).equals(root))) {
      return List.of();
    }
    boolean expected = Set.of(400, 401, 403, 404, 405, 413, 414, 431).contains(exchange.status());
    if (!expected) {
      return List.of("there is no such operation");
    }
    return exchange.mediaType().equals(PROBLEM) && exchange.body().isPresent()
        ? answers.errors("/components/schemas/Problem", Exchange.json(exchange.body().get()))
        : List.of();
  }
}
