package dev.runyard.functions.http;

import dev.runyard.core.agentcommunication.AcpError;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.view.ProblemJson;
import java.util.Optional;
import java.util.Set;

/// A family of routes with its own form of refusals. What is refused, and why, is the same in each:
/// a [Problem].
public enum Surface {
  /// Everything under `/v1`, and the description of the API: problem details.
  RUNYARD,
  /// Everything else: the errors of the Agent Communication Protocol.
  AGENT_COMMUNICATION;

  private static final Set<String> RUNYARD_ROOTS = Set.of("v1", "openapi.json");
  private static final String RETRY_AFTER_SECONDS = "1";

  /// The form of responses to paths that begin with `root`.
  public static Surface under(String root) {
    return RUNYARD_ROOTS.contains(root) ? RUNYARD : AGENT_COMMUNICATION;
  }

  public Reply refuse(Problem problem) {
    Reply reply =
        switch (this) {
          case RUNYARD ->
              Reply.typed(
                  problem.code().status(),
                  ProblemJson.CONTENT_TYPE,
                  ProblemJson.of(problem).toString());
          case AGENT_COMMUNICATION -> AcpReplies.error(AcpError.of(problem));
        };
    Reply refusal = reply.because(problem.code());
    if (problem.code() == ProblemCode.UNAUTHENTICATED) {
      return refusal.with("WWW-Authenticate", "Bearer");
    }
    return retryAfter(problem).map(when -> refusal.with("Retry-After", when)).orElse(refusal);
  }

  private static Optional<String> retryAfter(Problem problem) {
    if (problem.code() == ProblemCode.UNAVAILABLE) {
      return Optional.of(RETRY_AFTER_SECONDS);
    }
    return Optional.ofNullable(problem.reached())
        .flatMap(reached -> Optional.ofNullable(reached.retryAfterSeconds()))
        .map(seconds -> Integer.toString(seconds));
  }

  Reply notFound() {
    return refuse(Problem.of(ProblemCode.NOT_FOUND, "There is no such resource."));
  }

  Reply methodNotAllowed(String allowed) {
    return refuse(
            Problem.of(ProblemCode.METHOD_NOT_ALLOWED, "This resource supports " + allowed + "."))
        .with("Allow", allowed);
  }
}
