package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.show.SafeText;

/// A task as lines for people.
final class TaskText {
  private final Terminal terminal;

  TaskText(Terminal terminal) {
    this.terminal = terminal;
  }

  /// A task in one line.
  int line(JsonNode task) {
    String reason = task.path("status_reason").asText("");
    return say(
        "%s  %s%s  %s"
            .formatted(
                task.path("task_id").asText(),
                task.path("status").asText(),
                reason.isEmpty() || reason.equals("null") ? "" : " (" + reason + ")",
                task.path("title").asText()));
  }

  /// The same with its runs and edges.
  int whole(JsonNode task) {
    line(task);
    for (JsonNode attempt : task.path("attempts")) {
      say(
          "run %d  %s  %s  %s"
              .formatted(
                  attempt.path("attempt").asInt(),
                  attempt.path("run_id").asText(),
                  attempt.path("status").asText(),
                  attempt.at("/last_error/message").asText("")));
    }
    for (JsonNode edge : task.path("relationships")) {
      say(
          "%s  %s  %s"
              .formatted(
                  edge.path("kind").asText(),
                  edge.path("to").asText(),
                  edge.path("status").asText()));
    }
    return ExitCode.DONE;
  }

  int list(JsonNode body) {
    if (body.path("tasks").isEmpty()) {
      terminal.note("there are no tasks");
    }
    body.path("tasks").forEach(this::line);
    return ExitCode.DONE;
  }

  /// How a command went, and the task after it.
  int outcome(JsonNode answer) {
    say(answer.path("outcome").asText());
    JsonNode why = answer.at("/result/unavailable/message");
    if (why.isTextual()) {
      terminal.note(SafeText.line(why.textValue()));
      return ExitCode.FAILED;
    }
    return line(answer.path("result"));
  }

  private int say(String text) {
    terminal.line(SafeText.line(text));
    return ExitCode.DONE;
  }
}
