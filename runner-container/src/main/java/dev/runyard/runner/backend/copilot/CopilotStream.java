package dev.runyard.runner.backend.copilot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.FileEdit;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import dev.runyard.runner.backend.cli.CliStream;
import dev.runyard.runner.backend.cli.CliTrouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The standard output of `copilot --output-format json`, one line at a time, as events of a run.
/// It names its session only in its last line, and does not count tokens.
public final class CopilotStream extends CliStream {
  /// The run is ended after this many failed calls of the model in a row, because the CLI would
  /// wait longer and longer between them.
  static final int CALL_FAILURES_MAX = 3;

  private static final String AGENT = "GitHub Copilot CLI";

  private int callFailures;

  /// @param callPrefix put before the ids of tool calls, so that they differ from another attempt's
  public CopilotStream(String callPrefix) {
    super(AGENT, "--output-format json", new ToolCalls(callPrefix, ToolFacts.NONE), null);
  }

  @Override
  public Optional<Failure> giveUp() {
    return callFailures < CALL_FAILURES_MAX
        ? Optional.empty()
        : outcome.trouble().map(trouble -> trouble.failure(AGENT));
  }

  @Override
  protected List<RunEvent> typed(StreamLine line) {
    JsonNode data = line.json().path("data");
    return switch (line.type()) {
      case "assistant.turn_start" -> {
        outcome.working();
        yield List.of(new RunEvent.RunStatus("turn started"));
      }
      case "assistant.message_delta" -> text(data.path("deltaContent").asText(""));
      case "assistant.reasoning_delta" -> thought(data.path("deltaContent").asText(""));
      case "assistant.message" -> said(data);
      case "tool.execution_start" ->
          tools.started(
              data.path("toolCallId").asText("unnamed"),
              data.path("toolName").asText(""),
              data.path("arguments"));
      case "tool.execution_complete" ->
          tools.ended(data.path("toolCallId").asText("unnamed"), result(data));
      case "model.call_failure" -> failedCall(data);
      case "session.error" -> {
        failed(data, data.path("message").asText(""));
        yield List.of();
      }
      case "result" -> ended(line.json());
      case String other -> known(other) ? List.of() : warnings.unknown(other);
    };
  }

  /// Families of events about its internals.
  private static boolean known(String type) {
    return type.startsWith("session.")
        || type.startsWith("agent.")
        || type.startsWith("assistant.")
        || type.startsWith("model.")
        || type.startsWith("tool.")
        || type.startsWith("hook.")
        || type.startsWith("subagent.")
        || type.startsWith("permission.")
        || type.equals("user.message")
        || type.equals("system.message")
        || type.equals("abort");
  }

  private List<RunEvent> said(JsonNode data) {
    callFailures = 0;
    outcome.working();
    return whole(data.path("content").asText(""));
  }

  private static ToolCalls.Result result(JsonNode data) {
    JsonNode code = data.at("/shellExecution/exitCode");
    String output = data.at("/result/content").asText(data.at("/error/message").asText(""));
    boolean failed = !data.path("success").asBoolean() || code.asInt(0) != 0;
    return new ToolCalls.Result(
        failed,
        code.isInt() ? code.asInt() : null,
        output,
        Bounds.bytes(output),
        edits(data.path("fileEdits")));
  }

  private static List<FileEdit> edits(JsonNode said) {
    List<FileEdit> edits = new ArrayList<>();
    for (JsonNode edit : said) {
      if (edit.path("path").isTextual()) {
        edits.add(
            new FileEdit(
                edit.path("path").textValue(),
                switch (edit.path("kind").asText("")) {
                  case "create" -> FileChange.CREATED;
                  case "edit" -> FileChange.MODIFIED;
                  case "delete" -> FileChange.DELETED;
                  default -> null;
                }));
      }
    }
    return edits;
  }

  private List<RunEvent> failedCall(JsonNode data) {
    callFailures++;
    failed(data, data.path("errorMessage").asText(""));
    return List.of(
        new RunEvent.RuntimeWarning("model_retried", AGENT + " could not reach its model."));
  }

  private void failed(JsonNode data, String text) {
    CliTrouble.find(text)
        .or(() -> CliTrouble.ofStatus(data.path("statusCode").asInt()))
        .ifPresentOrElse(outcome::failed, () -> outcome.failed(text));
  }

  private List<RunEvent> ended(JsonNode result) {
    if (result.path("exitCode").asInt(1) == 0 && outcome.trouble().isEmpty()) {
      outcome.finished();
    } else {
      outcome.failed("");
    }
    return after(message(), session.named(result.path("sessionId").asText("")));
  }
}
