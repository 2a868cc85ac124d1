package dev.runyard.functions.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.functions.Described;
import dev.runyard.testkit.openapi.BrokenValues;
import dev.runyard.testkit.openapi.DescribedOperation;
import dev.runyard.testkit.openapi.SchemaValues;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Makes requests of one operation.
final class RequestMaker {
  private static final List<String> IDS =
      List.of(
          "none",
          "..",
          ".",
          "%00",
          "%ff%fe",
          "%2e%2e%2f",
          "%7Bid%7D",
          "%F0%9F%98%80",
          "x".repeat(3000),
          Situation.NO_RUN,
          "019C0000-0000-7000-8000-000000000000",
          Situation.NO_RUN + ".1",
          Situation.NO_RUN + ".99999999999",
          "-1");

  /// No JSON, or not the JSON that a body must be.
  private static final List<String> TEXTS =
      List.of(
          "",
          "{",
          "null",
          "[]",
          "\"text\"",
          "{}x",
          "{\"a\":1,\"a\":2}",
          "{\"\\u0000\":1}",
          "{\"a\":\"\\ud800\"}",
          "{\"a\":".repeat(200),
          "\uFEFF{}",
          "{'a':1}",
          "NaN",
          "\u0000");

  private final Situation situation;
  private final DescribedOperation operation;
  private final Random random;
  private final SchemaValues values;
  private final BrokenValues broken;
  private final JsonNode document = ApiDocument.json();

  RequestMaker(Situation situation, DescribedOperation operation, Random random) {
    this.situation = situation;
    this.operation = operation;
    this.random = random;
    this.values = new SchemaValues(document, random);
    this.broken = new BrokenValues(values, random);
  }

  GeneratedRequest next() {
    Parameters query = parameters("query", false);
    Parameters headers = parameters("header", true);
    Map<String, String> sent = new HashMap<>(headers.values());
    if (chance(5) && operation.json().at("/responses/200/content").has("text/event-stream")) {
      sent.put("Accept", "text/event-stream");
    }
    JsonNode media = operation.json().at("/requestBody/content/application~1json");
    Body body = media.isMissingNode() ? new Body(Optional.empty(), true) : body(media);
    if (body.bytes().isPresent()) {
      boolean typed = !chance(20);
      sent.put("Content-Type", typed ? "application/json" : "text/plain");
      body = new Body(body.bytes(), body.described() && typed);
    }
    String thing = chance(5) ? IDS.get(random.nextInt(IDS.size())) : situation.thing(operation);
    return new GeneratedRequest(
        operation,
        Situation.fill(operation, thing).replace(Situation.NO_DELIVERY, situation.delivery)
            + query.text(),
        sent,
        body.bytes(),
        new GeneratedRequest.Described(
            query.described() && names(thing), headers.described(), body.described()));
  }

  /// Whether the description allows this in the path.
  private boolean names(String thing) {
    for (JsonNode given : operation.json().path("parameters")) {
      JsonNode parameter = resolved(given);
      if (parameter.path("name").asText().equals("id") && !allowed(parameter, thing)) {
        return false;
      }
    }
    return true;
  }

  /// What is sent of the parameters of one kind.
  private record Parameters(Map<String, String> values, boolean described) {
    String text() {
      List<String> pairs = new ArrayList<>();
      values.forEach(
          (name, value) ->
              pairs.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
      return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }
  }

  private Parameters parameters(String in, boolean plain) {
    Map<String, String> chosen = new HashMap<>();
    boolean described = true;
    for (JsonNode given : operation.json().path("parameters")) {
      JsonNode parameter = resolved(given);
      if (parameter.path("in").asText().equals(in) && chance(3)) {
        boolean valid = !chance(3);
        String name = parameter.path("name").textValue();
        String value =
            valid ? values.valid(parameter.path("schema")).asText() : odd(parameter.path("schema"));
        boolean sendable = !plain || value.chars().allMatch(c -> c >= ' ' && c < 127);
        if (sendable && !(plain && value.isBlank())) {
          chosen.put(name, value);
          described &=
              parameter.path("x-beyond-schema").isMissingNode()
                  && (valid || allowed(parameter, value));
        }
      }
    }
    if (in.equals("query") && chance(20)) {
      chosen.put("nothing", "1");
      described &= operation.json().path("x-ignores-unknown").asBoolean();
    }
    return new Parameters(chosen, described);
  }

  private String odd(JsonNode schema) {
    return switch (random.nextInt(5)) {
      case 0 -> String.valueOf(schema.path("maximum").asLong(0) + 1);
      case 1 -> "-1";
      case 2 -> "";
      case 3 -> "1e3";
      default -> "odd value/" + random.nextInt();
    };
  }

  /// Any text is allowed where the description has no schema to say otherwise.
  private boolean allowed(JsonNode parameter, String value) {
    JsonNode schema = parameter.path("schema");
    return Described.API.parameterAllows(schema, value);
  }

  private record Body(Optional<byte[]> bytes, boolean described) {}

  private Body body(JsonNode media) {
    int kind = random.nextInt(20);
    if (kind < 2) {
      String text = TEXTS.get(random.nextInt(TEXTS.size()));
      boolean none = text.isEmpty() && !operation.json().at("/requestBody/required").asBoolean();
      return new Body(
          Optional.of(text.getBytes(StandardCharsets.UTF_8)).filter(bytes -> bytes.length > 0),
          none);
    }
    JsonNode schema = media.path("schema");
    JsonNode value = kind < 9 ? broken.broken(resolved(schema)) : values.valid(schema);
    if (value instanceof ObjectNode object && !chance(6)) {
      Plausible.make(operation, object, random);
    }
    return new Body(
        Optional.of(value.toString().getBytes(StandardCharsets.UTF_8)),
        Described.API.requestErrors(operation, value).isEmpty());
  }

  private JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? document.at(schema.path("$ref").textValue().substring(1)) : schema;
  }

  private boolean chance(int ofOne) {
    return random.nextInt(ofOne) == 0;
  }
}
