package dev.runyard.functions.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.testkit.openapi.DescribedOperation;
import dev.runyard.testkit.openapi.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A request that was made from the description.
///
/// @param described whether it is as described: its parameters, its headers, its body
record GeneratedRequest(
    DescribedOperation operation,
    String target,
    Map<String, String> headers,
    Optional<byte[]> body,
    Described described) {
  /// Bodies may be refused as a whole from this size, because of what is stored of them.
  private static final int LARGE_BYTES = 192 * 1024;

  private static final Pattern INNARDS = Pattern.compile("Exception|\tat |dev\\.runyard|java\\.");

  /// Refusals that say that a request is not of the form it should have.
  private static final Set<String> OF_FORM =
      Set.of("malformed_json", "invalid_request", "invalid_agent_kind", "unsupported_media_type");

  record Described(boolean parameters, boolean headers, boolean body) {
    boolean all() {
      return parameters && headers && body;
    }
  }

  /// What is wrong with the answer.
  Optional<String> mistake(Exchange exchange) {
    if (exchange.status() >= 500) {
      return Optional.of("a failure of the server");
    }
    if (INNARDS.matcher(exchange.text()).find()) {
      return Optional.of("tells of its innards");
    }
    if (exchange.status() < 400) {
      return described.all() ? Optional.empty() : Optional.of("accepted although " + described);
    }
    if (described.all() && OF_FORM.contains(exchange.code()) && !declared(exchange)) {
      return Optional.of("refused although it is as described");
    }
    return described.all() && exchange.code().equals("body_too_large") && size() < LARGE_BYTES
        ? Optional.of("too large although it is not")
        : Optional.empty();
  }

  private int size() {
    return body.orElse(new byte[0]).length;
  }

  /// True if each member that was refused is one of which the description says that its schema does
  /// not say everything.
  private boolean declared(Exchange exchange) {
    List<String> pointers = pointers(exchange);
    JsonNode beyond = operation.json().path("x-beyond-schema");
    return !pointers.isEmpty()
        && pointers.stream()
            .allMatch(
                pointer ->
                    beyond.properties().stream()
                        .anyMatch(known -> (pointer + "/").startsWith(known.getKey() + "/")));
  }

  private static List<String> pointers(Exchange exchange) {
    List<String> pointers = new ArrayList<>();
    try {
      JsonNode problem = JsonFormat.JSON.readTree(exchange.text());
      problem.path("errors").forEach(error -> pointers.add(error.path("pointer").asText()));
      problem.at("/data/pointers").forEach(pointer -> pointers.add(pointer.asText()));
    } catch (java.io.IOException e) {
      throw new AssertionError(exchange.toString(), e);
    }
    return pointers;
  }

  @Override
  public String toString() {
    String sent = body.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
    return "%s %s %s %s"
        .formatted(
            operation.method(), target, headers, sent.substring(0, Math.min(2000, sent.length())));
  }
}
