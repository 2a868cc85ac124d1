package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request being read, and the first mistake in it. Members the protocol does not name are
/// ignored, and a null member counts as absent. Not thread-safe.
final class RequestFields {
  private @Nullable AcpError error;

  Optional<AcpError> error() {
    return Optional.ofNullable(error);
  }

  void refuse(AcpError found) {
    if (error == null) {
      error = found;
    }
  }

  void refuse(String at, String detail) {
    refuse(AcpError.of(Problem.at(ProblemCode.INVALID_REQUEST, at, detail)));
  }

  Optional<String> text(JsonNode of, String at, String name) {
    JsonNode value = of.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      refuse(Pointer.child(at, name), name + " must be a string");
    }
    return Optional.ofNullable(value.textValue());
  }

  String required(JsonNode of, String at, String name) {
    if (!of.hasNonNull(name)) {
      refuse(Pointer.child(at, name), name + " is required");
    }
    return text(of, at, name).orElse("");
  }

  Optional<String> choice(JsonNode of, String at, String name, Set<String> known) {
    Optional<String> text = text(of, at, name);
    if (text.isPresent() && !known.contains(text.get())) {
      refuse(
          Pointer.child(at, name),
          "%s must be one of: %s"
              .formatted(name, String.join(" | ", known.stream().sorted().toList())));
    }
    return text;
  }

  /// A UUID in lower case.
  Optional<String> uuid(JsonNode of, String at, String name) {
    Optional<String> text = text(of, at, name).map(given -> given.toLowerCase(Locale.ROOT));
    if (text.isPresent() && !AcpRun.isUuid(text.get())) {
      refuse(Pointer.child(at, name), name + " must be a UUID");
    }
    return text;
  }

  ArrayNode list(JsonNode of, String at, String name) {
    if (of.path(name) instanceof ArrayNode list) {
      return list;
    }
    refuse(Pointer.child(at, name), name + " must be a list");
    return JsonNodeFactory.instance.arrayNode();
  }

  Optional<ObjectNode> object(JsonNode of, String at, String name) {
    if (!of.hasNonNull(name)) {
      return Optional.empty();
    }
    if (of.get(name) instanceof ObjectNode object) {
      return Optional.of(object);
    }
    refuse(Pointer.child(at, name), name + " must be an object");
    return Optional.empty();
  }
}
