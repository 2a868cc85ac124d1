package dev.runyard.functions.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.functions.http.Surface;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The description of the API as one document. It is made when it is first asked for.
public final class ApiDocument {
  private static final String SCHEMES = "securitySchemes";

  /// Members of the document that all fragments add to.
  private static final List<String> COMPONENTS = List.of("schemas", "parameters", "headers");

  private final Fragments fragments = Fragments.read();
  private final Refusals refusals = new Refusals(fragments.base());

  private ApiDocument() {}

  private static final class Made {
    static final ObjectNode JSON = new ApiDocument().document();
    static final String TEXT = JSON.toString();
    static final String TAG = "\"" + Digest.hex(TEXT) + "\"";
  }

  /// A copy of the document.
  public static ObjectNode json() {
    return Made.JSON.deepCopy();
  }

  /// The document as it is answered.
  public static String text() {
    return Made.TEXT;
  }

  /// The tag of [#text].
  public static String tag() {
    return Made.TAG;
  }

  private ObjectNode document() {
    ObjectNode base = fragments.base();
    ObjectNode document = JsonFormat.JSON.createObjectNode();
    for (String name : List.of("openapi", "info", "servers", "tags", "x-gateway")) {
      document.set(name, base.get(name));
    }
    ObjectNode paths = document.putObject("paths");
    for (Map.Entry<String, JsonNode> path : fragments.together("paths").properties()) {
      ObjectNode operations = paths.putObject(path.getKey().replace("+}", "}"));
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        operations.set(operation.getKey(), operation(path.getKey(), operation.getValue()));
      }
    }
    ObjectNode components = document.putObject("components");
    COMPONENTS.forEach(name -> components.set(name, fragments.together(name)));
    components.set(SCHEMES, base.get(SCHEMES));
    fragments
        .base()
        .path("x-anywhere")
        .forEach(code -> refusals.describe(Surface.RUNYARD, Set.of(code.textValue()), unused()));
    components.set("responses", refusals.responses());
    components.set("examples", refusals.examples());
    return document;
  }

  private ObjectNode operation(String path, JsonNode fragment) {
    ObjectNode operation = (ObjectNode) fragments.resolved(fragment);
    ArrayNode security = JsonFormat.JSON.createArrayNode();
    JsonNode scope = operation.remove("x-scope");
    if (scope.isTextual()) {
      security.addObject().putArray("bearer").add(scope);
      security.addObject().putArray("sigv4");
    }
    operation.set("security", security);
    ObjectNode responses = (ObjectNode) operation.get("responses");
    for (JsonNode response : responses) {
      ObjectNode headers = ((ObjectNode) response).withObjectProperty("headers");
      headers.putObject("X-Request-Id").put("$ref", "#/components/headers/XRequestId");
      ((ObjectNode) response).put("x-result", true);
    }
    Set<String> codes = refusals.codes(operation.path("x-problems"));
    if (scope.isTextual()) {
      codes.addAll(refusals.codes(JsonFormat.JSON.createArrayNode().add("caller")));
    }
    codes.addAll(refusals.codes(JsonFormat.JSON.createArrayNode().add("page")));
    ArrayNode listed = operation.putArray("x-problems");
    codes.forEach(listed::add);
    refusals.describe(surface(path), codes, responses);
    return operation;
  }

  /// A place for responses of no operation: what counts is that they are among those shared.
  private static ObjectNode unused() {
    return JsonFormat.JSON.createObjectNode();
  }

  private static Surface surface(String path) {
    return Surface.under(path.split("/", -1)[1]);
  }
}
