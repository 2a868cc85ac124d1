package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One method on one path of a description.
///
/// @param pointer to it in the description
/// @param segments of its path
/// @param rest whether the last segment stands for the rest of a path
public record DescribedOperation(
    String pointer, String method, List<String> segments, boolean rest, JsonNode json) {
  public DescribedOperation {
    segments = List.copyOf(segments);
  }

  static List<DescribedOperation> all(JsonNode document) {
    List<DescribedOperation> all = new ArrayList<>();
    for (var path : document.path("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        boolean rest = false;
        for (JsonNode parameter : operation.getValue().path("parameters")) {
          rest |= parameter.path("x-rest").asBoolean();
        }
        all.add(
            new DescribedOperation(
                "/paths/%s/%s"
                    .formatted(
                        path.getKey().replace("~", "~0").replace("/", "~1"), operation.getKey()),
                operation.getKey().toUpperCase(Locale.ROOT),
                List.of(path.getKey().split("/", -1)),
                rest,
                operation.getValue()));
      }
    }
    return all;
  }

  /// Its name in the description.
  public String id() {
    return json.path("operationId").textValue();
  }

  /// Method and path, as in `GET /ping`.
  public String name() {
    return method + " " + path();
  }

  /// Its path, as in the description.
  public String path() {
    return String.join("/", segments);
  }

  /// The scope that it needs; empty if anybody may call it.
  public Optional<String> scope() {
    return Optional.ofNullable(json.at("/security/0/bearer/0").textValue());
  }

  /// The statuses that it declares besides those of refusals.
  public List<String> successes() {
    List<String> statuses = new ArrayList<>();
    json.path("responses").fieldNames().forEachRemaining(status -> statuses.add(status));
    statuses.removeIf(status -> !json.at("/responses/" + status).has("x-result"));
    return statuses;
  }

  /// The codes with which it may refuse.
  public List<String> codes() {
    List<String> codes = new ArrayList<>();
    json.path("x-problems").forEach(code -> codes.add(code.textValue()));
    return codes;
  }

  /// True if a path is one of this operation.
  boolean matches(List<String> given) {
    if (given.size() < segments.size() || (!rest && given.size() > segments.size())) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      if (!segment.startsWith("{") && !segment.equals(given.get(i))) {
        return false;
      }
    }
    return !rest || !given.getLast().isEmpty() || given.size() > segments.size();
  }
}
