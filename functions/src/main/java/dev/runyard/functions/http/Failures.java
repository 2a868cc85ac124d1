package dev.runyard.functions.http;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.JsonLog;

/// Handles a failed request: the log gets the reason, with the request's id, and the client gets a
/// problem that only says what to do.
public final class Failures {
  private final JsonLog log;
  private final String unavailable;

  /// Failures are written to `log`; `unavailable` says what to do when a store or a queue does not
  /// answer.
  public Failures(JsonLog log, String unavailable) {
    this.log = log;
    this.unavailable = unavailable;
  }

  public Problem problem(RuntimeException failure, String requestId) {
    Problem problem =
        failure instanceof PortUnavailable
            ? Problem.of(ProblemCode.UNAVAILABLE, unavailable)
            : Problem.of(
                ProblemCode.INTERNAL, "The request failed. Its X-Request-Id finds it in the log.");
    log.failure(problem.code().code(), failure, line -> line.put("request_id", requestId));
    return problem;
  }
}
