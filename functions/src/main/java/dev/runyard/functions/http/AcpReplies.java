package dev.runyard.functions.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agentcommunication.AcpError;
import dev.runyard.core.agentcommunication.AcpRun;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Locale;

/// Responses in the form of the Agent Communication Protocol: a refusal has its error body, and a
/// response about a run names the run in a header.
public final class AcpReplies {
  public static final String RUN_ID = "Run-ID";

  private AcpReplies() {}

  public static Reply run(int status, ObjectNode run) {
    return Reply.json(status, run).with(RUN_ID, run.path("run_id").asText());
  }

  public static Reply error(AcpError error) {
    return Reply.json(error.status(), error.json());
  }

  public static Reply error(Problem problem) {
    return Surface.AGENT_COMMUNICATION.refuse(problem);
  }

  public static Reply error(ProblemCode code, String detail) {
    return error(Problem.of(code, detail));
  }

  public static Reply notFound(String what, String id) {
    return error(
        what.equals("Run") ? ProblemCode.RUN_NOT_FOUND : ProblemCode.NOT_FOUND,
        what + " " + id + " not found");
  }

  public static Reply noId(String name) {
    return error(Problem.at(ProblemCode.INVALID_REQUEST, "/" + name, name + " must be a UUID"));
  }

  /// What an id in a path names.
  public sealed interface Named {
    record Run(RunKey run) implements Named {}

    record Nothing(Reply reply) implements Named {}
  }

  /// The run that a path names. An id that is not a UUID is a mistake; a UUID that is not a run id
  /// is not found.
  public static Named run(RoutedRequest request) {
    String lower = request.named("id").toLowerCase(Locale.ROOT);
    if (!AcpRun.isUuid(lower)) {
      return new Named.Nothing(noId("run_id"));
    }
    return RunKey.isRunId(lower)
        ? new Named.Run(new RunKey(request.caller().tenant(), lower))
        : new Named.Nothing(notFound("Run", lower));
  }
}
