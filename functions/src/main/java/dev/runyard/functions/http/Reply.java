package dev.runyard.functions.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.view.ProblemJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// An answer to an HTTP request, free of whoever carries it.
///
/// @param problem the code when the request was refused
public record Reply(
    int status, Map<String, String> headers, String body, Optional<ProblemCode> problem) {
  private static final String RETRY_AFTER_SECONDS = "1";
  private static final Map<String, String> ALWAYS =
      Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");

  public static Reply json(int status, JsonNode body) {
    return json(status, body.toString());
  }

  public static Reply json(int status, String body) {
    return new Reply(status, ALWAYS, body, Optional.empty())
        .with("Content-Type", "application/json");
  }

  /// Text nobody may take for anything else, whatever it looks like.
  public static Reply text(String body) {
    return new Reply(200, ALWAYS, body, Optional.empty())
        .with("Content-Type", StoredOutput.CONTENT_TYPE)
        .with("Content-Disposition", "attachment");
  }

  public static Reply empty(int status) {
    return new Reply(status, ALWAYS, "", Optional.empty());
  }

  /// The refusal as problem details.
  public static Reply of(Problem problem) {
    Reply reply =
        new Reply(
                problem.code().status(),
                ALWAYS,
                ProblemJson.of(problem).toString(),
                Optional.of(problem.code()))
            .with("Content-Type", ProblemJson.CONTENT_TYPE);
    return problem.code() == ProblemCode.UNAVAILABLE
        ? reply.with("Retry-After", RETRY_AFTER_SECONDS)
        : reply;
  }

  public static Reply of(ProblemCode code, String detail) {
    return of(Problem.of(code, detail));
  }

  public static Reply methodNotAllowed(String allowed) {
    return of(ProblemCode.METHOD_NOT_ALLOWED, "This resource answers " + allowed + ".")
        .with("Allow", allowed);
  }

  public static Reply runNotFound() {
    return of(ProblemCode.RUN_NOT_FOUND, "There is no run with this id.");
  }

  public static Reply notFound() {
    return of(ProblemCode.NOT_FOUND, "There is no such resource.");
  }

  /// The same answer with one more header.
  public Reply with(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new Reply(status, all, body, problem);
  }
}
