package dev.runyard.core.agentcommunication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.message.Message;
import java.util.Optional;
import java.util.Set;

/// Reads the protocol's request to resume an awaiting run. `run_id` may repeat the path's.
public final class ResumeRequestReader {
  private static final Set<String> MODES = Set.of("sync", "async", "stream");

  private ResumeRequestReader() {}

  /// What the body turned out to be.
  public sealed interface Result {
    record Accepted(Message message, RunMode mode) implements Result {}

    record Rejected(AcpError error) implements Result {}
  }

  public static Result read(String runId, byte[] bytes) {
    return switch (JsonBody.read(bytes)) {
      case JsonBody.Result.Rejected rejected ->
          new Result.Rejected(AcpError.of(rejected.problem()));
      case JsonBody.Result.Read read -> read(runId, read.object());
    };
  }

  private static Result read(String runId, ObjectNode body) {
    RequestFields reading = new RequestFields();
    reading.required(body, "", "mode");
    Optional<RunMode> mode = reading.choice(body, "", "mode", MODES).flatMap(RunMode::ofWire);
    Optional<String> named = reading.uuid(body, "", "run_id");
    if (named.isPresent() && !named.get().equals(runId)) {
      reading.refuse("/run_id", "run_id must be the run of the path");
    }
    Optional<ObjectNode> resume = reading.object(body, "", "await_resume");
    if (resume.isEmpty()) {
      reading.refuse("/await_resume", "await_resume is required");
    }
    JsonNode of = resume.<JsonNode>map(found -> found).orElse(body);
    if (resume.isPresent() && !of.path("type").asText("message").equals("message")) {
      reading.refuse(AcpError.forbidden("The run awaits a message"));
    }
    if (reading.error().isEmpty() && !of.path("message").isObject()) {
      reading.refuse("/await_resume/message", "message is required");
    }
    if (reading.error().isPresent()) {
      return new Result.Rejected(reading.error().get());
    }
    Message message = new MessageBody(reading).single(of.get("message"), "/await_resume/message");
    return reading
        .error()
        .<Result>map(Result.Rejected::new)
        .orElseGet(() -> new Result.Accepted(message, mode.orElse(RunMode.SYNC)));
  }
}
