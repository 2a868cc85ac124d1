package dev.runyard.functions.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A response to an HTTP request, independent of the server that sends it.
///
/// @param problem the code when the request was refused
public record Reply(
    int status, Map<String, String> headers, String body, Optional<ProblemCode> problem) {
  private static final Map<String, String> ALWAYS =
      Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

  public static Reply json(int status, JsonNode body) {
    return json(status, body.toString());
  }

  public static Reply json(int status, String body) {
    return typed(status, "application/json", body);
  }

  static Reply typed(int status, String contentType, String body) {
    return new Reply(status, ALWAYS, body, Optional.empty()).with("Content-Type", contentType);
  }

  /// Plain text that no client may interpret as anything else.
  public static Reply text(String body) {
    return typed(200, StoredOutput.CONTENT_TYPE, body).with("Content-Disposition", "attachment");
  }

  public static Reply empty(int status) {
    return new Reply(status, ALWAYS, "", Optional.empty());
  }

  /// The refusal as problem details.
  public static Reply of(Problem problem) {
    return Surface.RUNYARD.refuse(problem);
  }

  public static Reply of(ProblemCode code, String detail) {
    return of(Problem.of(code, detail));
  }

  public static Reply runNotFound() {
    return of(ProblemCode.RUN_NOT_FOUND, "There is no run with this id.");
  }

  public static Reply notJson() {
    return of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "Send a body as application/json in UTF-8.");
  }

  /// The same response with one more header.
  public Reply with(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new Reply(status, all, body, problem);
  }

  /// The same response with more headers.
  public Reply with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new Reply(status, all, body, problem);
  }

  /// The same response as a refusal.
  Reply because(ProblemCode code) {
    return new Reply(status, headers, body, Optional.of(code));
  }
}
