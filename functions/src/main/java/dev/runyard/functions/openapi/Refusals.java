package dev.runyard.functions.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agentcommunication.AcpError;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.problem.Reached;
import dev.runyard.core.view.ProblemJson;
import dev.runyard.functions.http.Surface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The refusals of an operation, from the codes that its fragment lists: for each status the codes,
/// their form and an example of each, together with what a gateway may refuse before.
final class Refusals {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String ACP = "acp_";

  /// A response with more codes is that of one operation.
  private static final int SHARED_CODES_MAX = 3;

  private final ObjectNode base;
  private final ObjectNode examples = JSON.objectNode();
  private final ObjectNode responses = JSON.objectNode();

  Refusals(ObjectNode base) {
    this.base = base;
  }

  /// An example of each code that was described so far.
  ObjectNode examples() {
    return examples;
  }

  /// The responses that operations share.
  ObjectNode responses() {
    return responses;
  }

  /// The codes that a list of codes and groups of codes stands for.
  Set<String> codes(JsonNode listed) {
    Set<String> codes = new TreeSet<>();
    for (JsonNode name : listed) {
      JsonNode group = base.path("x-problem-groups").path(name.textValue());
      if (group.isArray()) {
        group.forEach(code -> codes.add(code.textValue()));
      } else {
        codes.add(name.textValue());
      }
    }
    return codes;
  }

  /// Adds a response for each status with which one of the codes, or a gateway, may refuse.
  void describe(Surface surface, Set<String> codes, ObjectNode into) {
    Map<String, List<String>> byStatus = new TreeMap<>();
    codes.forEach(
        code -> byStatus.computeIfAbsent(status(surface, code), _ -> new ArrayList<>()).add(code));
    base.path("x-gateway")
        .fieldNames()
        .forEachRemaining(status -> byStatus.putIfAbsent(status, List.of()));
    byStatus.forEach((status, own) -> into.set(status, response(surface, status, own)));
  }

  private ObjectNode response(Surface surface, String status, List<String> own) {
    ObjectNode response = whole(surface, status, own);
    if (own.size() > SHARED_CODES_MAX) {
      return response;
    }
    String codes = own.isEmpty() ? "" : "_" + String.join("_", own);
    boolean acp = surface == Surface.AGENT_COMMUNICATION && !own.isEmpty();
    String name = (acp ? ACP : "") + "refused_" + status + codes;
    responses.set(name, response);
    return JSON.objectNode().put("$ref", "#/components/responses/" + name);
  }

  private String status(Surface surface, String code) {
    JsonNode acpOnly = base.path("x-acp-codes").path(code);
    return String.valueOf(
        switch (surface) {
          case RUNYARD -> known(code).status();
          case AGENT_COMMUNICATION ->
              acpOnly.isInt() ? acpOnly.intValue() : AcpError.of(problem(code)).status();
        });
  }

  private ObjectNode whole(Surface surface, String status, List<String> own) {
    List<String> gateway = new ArrayList<>();
    base.path("x-gateway").path(status).forEach(code -> gateway.add(code.textValue()));
    Set<String> all = new TreeSet<>(own);
    all.addAll(gateway);
    ObjectNode response =
        JSON.objectNode().put("description", "`%s`".formatted(String.join("`, `", all)));
    ObjectNode headers = response.putObject("headers");
    headers.putObject("X-Request-Id").put("$ref", "#/components/headers/XRequestId");
    if (status.equals("503") || status.equals("429")) {
      headers.putObject("Retry-After").put("$ref", "#/components/headers/RetryAfter");
    }
    ObjectNode content = response.putObject("content");
    switch (surface) {
      case RUNYARD -> problems(content, status, all);
      case AGENT_COMMUNICATION -> {
        if (!own.isEmpty()) {
          errors(content, own);
        }
        if (!gateway.isEmpty()) {
          problems(content, status, new TreeSet<>(gateway));
        }
      }
    }
    return response;
  }

  private void problems(ObjectNode content, String status, Set<String> codes) {
    ObjectNode media = content.putObject(ProblemJson.CONTENT_TYPE);
    ArrayNode all = media.putObject("schema").putArray("allOf");
    all.addObject().put("$ref", "#/components/schemas/Problem");
    ArrayNode known = all.addObject().putObject("properties").putObject("code").putArray("enum");
    ObjectNode shown = media.putObject("examples");
    for (String code : codes) {
      known.add(code);
      shown.putObject(code).put("$ref", "#/components/examples/" + code);
      examples.putObject(code).set("value", example(code, status));
    }
  }

  private void errors(ObjectNode content, List<String> codes) {
    ObjectNode media = content.putObject("application/json");
    ArrayNode all = media.putObject("schema").putArray("allOf");
    all.addObject().put("$ref", "#/components/schemas/AcpError");
    ArrayNode known =
        all.addObject()
            .putObject("properties")
            .putObject("data")
            .putObject("properties")
            .putObject("code")
            .putArray("enum");
    ObjectNode shown = media.putObject("examples");
    for (String code : codes) {
      known.add(code);
      String name = ACP + code;
      shown.putObject(code).put("$ref", "#/components/examples/" + name);
      examples.putObject(name).set("value", acpExample(code));
    }
  }

  private ObjectNode example(String code, String status) {
    ObjectNode json =
        Arrays.stream(ProblemCode.values())
            .filter(known -> known.code().equals(code))
            .findFirst()
            .map(_ -> ProblemJson.of(problem(code)))
            .orElseGet(() -> ProblemJson.of(Problem.of(ProblemCode.INVALID_REQUEST, detail(code))));
    json.put("type", "urn:runyard:problem:" + code.replace('_', '-'));
    json.put("code", code).put("title", title(code));
    return json.put("status", Integer.parseInt(status));
  }

  private ObjectNode acpExample(String code) {
    if (base.path("x-acp-codes").has(code)) {
      ObjectNode json = AcpError.forbidden(detail(code)).json();
      ((ObjectNode) json.get("data")).put("code", code);
      return base.path("x-acp-codes").path(code).intValue() == AcpError.sessionMismatch().status()
          ? AcpError.sessionMismatch().json()
          : json;
    }
    return AcpError.of(problem(code)).json();
  }

  private Problem problem(String code) {
    JsonNode reached = base.path("x-reached").path(code);
    return new Problem(
        known(code),
        detail(code),
        List.of(),
        reached.isMissingNode()
            ? null
            : new Reached(
                reached.path("limit").textValue(), reached.path("value").decimalValue(), null));
  }

  private static ProblemCode known(String code) {
    return Arrays.stream(ProblemCode.values())
        .filter(known -> known.code().equals(code))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no such code: " + code));
  }

  private String detail(String code) {
    return base.path("x-details").path(code).asText(title(code) + ".");
  }

  private static String title(String code) {
    String words = code.replace('_', ' ').replace("json", "JSON");
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }
}
