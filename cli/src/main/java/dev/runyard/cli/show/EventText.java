package dev.runyard.cli.show;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.ClientEvent;

/// A short text for an event. Types this client does not know are shown by their payload.
final class EventText {
  private EventText() {}

  static String of(ClientEvent event) {
    JsonNode payload = event.payload();
    return SafeText.line(
        switch (event.type()) {
          case "task.created" -> "accepted for " + payload.path("agent").asText();
          case "turn.submitted" -> payload.path("prompt").asText();
          case "task.queued" -> waiting(payload.path("behind").asText());
          case "task.retrying" -> "trying again: " + payload.path("reason").asText();
          case "task.attempt.started" ->
              "attempt "
                  + payload.path("attempt").asInt()
                  + " on "
                  + payload.path("runner").asText();
          case "action.required" -> payload.path("prompt").asText();
          case "action.resolved" ->
              payload.path("decision").asText() + optional(" ", payload.path("payload"));
          case "channel.message" -> payload.path("content").asText();
          case "process.input" ->
              payload.path("refused").asText().isEmpty()
                  ? "taken"
                  : "refused: " + payload.path("refused").asText();
          case "process.started" -> payload.path("program").asText();
          case "process.completed" -> exit(payload) + took(payload);
          case "process.terminated" -> "stopped: " + payload.path("reason").asText();
          case "sandbox.applied" ->
              payload.path("level").asText() + ": " + payload.path("reason").asText();
          case "context.resolved" ->
              payload.path("source").asText()
                  + optional(" ", payload.path("url"))
                  + optional(" ", payload.path("commit"))
                  + took(payload);
          case "hook.completed" ->
              payload.path("hook").asText()
                  + " "
                  + payload.path("command").asInt()
                  + ": "
                  + exit(payload)
                  + took(payload)
                  + optional(": ", payload.path("preview"));
          case "snapshot.updated" -> change(payload);
          case "job.completed" ->
              payload.path("job").asText()
                  + " "
                  + payload.path("branch").asText()
                  + optional(" ", payload.path("url"));
          case "run.status" -> payload.path("phase").asText();
          case "session.updated" -> payload.path("nativeSessionId").asText();
          case "model.delta", "reasoning.delta" -> payload.path("text").asText();
          case "tool.started" -> tool(payload) + optional(": ", payload.path("input"));
          case "tool.progress" -> tool(payload) + optional(": ", payload.path("preview"));
          case "tool.result", "tool.failed" ->
              tool(payload) + exitCode(payload) + optional(": ", payload.path("preview"));
          case "cost.recorded" -> UsageText.of(payload.path("usage"));
          case "runtime.warning", "runtime.error", "model.failed" ->
              payload.path("code").asText() + ": " + payload.path("message").asText();
          case "output.truncated" ->
              payload.path("what").asText()
                  + " of "
                  + payload.path("bytes").asLong()
                  + " bytes was cut";
          case "output.spilled" ->
              payload.path("bytes").asLong() + " bytes as " + payload.path("outputRef").asText();
          case "artifact.changed" ->
              payload.path("change").asText("changed") + " " + payload.path("path").asText();
          case "task.progress" -> plan(payload.path("entries"));
          case "task.cancel_requested", "task.cancelled" -> payload.path("reason").asText();
          default -> fallback(payload);
        });
  }

  private static String change(JsonNode payload) {
    long leftOut = payload.path("leftOut").asLong();
    return "%d files, +%d -%d%s%s"
        .formatted(
            payload.path("files").asLong(),
            payload.path("linesAdded").asLong(),
            payload.path("linesRemoved").asLong(),
            payload.path("patch").isObject() ? "" : ", too large for a patch",
            leftOut == 0 ? "" : ", %d left out".formatted(leftOut));
  }

  /// `code: message` of a payload that carries an error, otherwise the payload itself.
  private static String fallback(JsonNode payload) {
    JsonNode error = payload.path("error");
    if (error.isObject()) {
      return error.path("code").asText() + ": " + error.path("message").asText();
    }
    return payload.isMissingNode() || payload.isEmpty() ? "" : payload.toString();
  }

  /// How many steps are done, and the current one.
  private static String plan(JsonNode entries) {
    int done = 0;
    String now = "";
    for (JsonNode entry : entries) {
      switch (entry.path("status").asText()) {
        case "completed" -> done++;
        case "in_progress" -> now = now.isEmpty() ? ", now: " + entry.path("text").asText() : now;
        default -> {}
      }
    }
    return "%d of %d done%s".formatted(done, entries.size(), now);
  }

  static String tool(JsonNode payload) {
    String name = payload.path("name").asText();
    return name.isEmpty() ? payload.path("toolCallId").asText("tool") : name;
  }

  static String exitCode(JsonNode payload) {
    return payload.path("exitCode").isInt() ? " exit " + payload.path("exitCode").asInt() : "";
  }

  private static String exit(JsonNode payload) {
    return payload.path("signal").isInt()
        ? "ended by signal " + payload.path("signal").asInt()
        : "exit " + payload.path("exitCode").asText("unknown");
  }

  private static String took(JsonNode payload) {
    return payload.path("durationMillis").isNumber()
        ? " after " + Times.seconds(payload.path("durationMillis").asLong())
        : "";
  }

  private static String waiting(String behind) {
    return switch (behind) {
      case "" -> "waiting for a runner";
      case "tenant" -> "waiting until fewer runs of its tenant are running";
      case String _ -> "waiting for its turn";
    };
  }

  private static String optional(String before, JsonNode value) {
    return value.asText().isEmpty() ? "" : before + value.asText();
  }
}
