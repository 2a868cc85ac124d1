package dev.runyard.runner.gateway;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.ModelApi;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// An answer of the gateway itself, in place of the provider's.
///
/// @param code stable
/// @param message for people: what is wrong, and what to do
/// @param headers besides those of every answer
record Refusal(int status, String code, String message, Map<String, String> headers) {
  static final int UPGRADE_REQUIRED = 426;

  Refusal(int status, String code, String message) {
    this(status, code, message, Map.of());
  }

  static Refusal malformed(String what) {
    return new Refusal(400, "malformed_request", "The request is malformed: " + what + ".");
  }

  /// Nothing is known of who called.
  static Refusal noSuchEndpoint() {
    return new Refusal(
        401, "no_such_endpoint", "There is no such model endpoint, or its attempt has ended.");
  }

  /// What such a call uses is known only to who asks for its answer later.
  static Refusal background() {
    return new Refusal(
        400, "background_not_allowed", "Models are not called in the background here.");
  }

  /// The provider would reach other servers for an agent that must not.
  ///
  /// @param member of the body
  static Refusal leadsOut(String member) {
    return new Refusal(
        400,
        "network_limited",
        ("The network of this run is limited, so its model provider may not reach others for it:"
                + " %s is not allowed here.")
            .formatted(member));
  }

  /// The answer would not say what the call used.
  static Refusal hidden() {
    return new Refusal(
        400, "query_not_allowed", "Of the query only alt=json and alt=sse are taken here.");
  }

  /// The agent does too much at once.
  static Refusal busy(String what) {
    return new Refusal(429, "too_many_calls", what, Map.of("Retry-After", "1"));
  }

  /// The run has reached a bound, named as in its request.
  static Refusal spent(String bound) {
    return new Refusal(
        400,
        "quota_blocked",
        "The run has used all that its %s allows; it ends. Raise %s or ask for less."
            .formatted(bound, bound));
  }

  /// The body of the answer, in the form of the API.
  byte[] body(ModelApi api) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    switch (api) {
      case RESPONSES, CHAT_COMPLETIONS ->
          body.putObject("error")
              .put("message", message)
              .put("type", status < 500 ? "invalid_request_error" : "server_error")
              .put("code", code);
      case MESSAGES ->
          body.put("type", "error")
              .putObject("error")
              .put("type", status < 500 ? "invalid_request_error" : "api_error")
              .put("message", message);
      case GEMINI ->
          body.putObject("error")
              .put("code", status)
              .put("message", message)
              .put("status", status < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE");
    }
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }
}
