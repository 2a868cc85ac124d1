package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.show.SafeText;

/// A thread as lines for people.
final class ThreadText {
  private final Terminal terminal;

  ThreadText(Terminal terminal) {
    this.terminal = terminal;
  }

  /// The thread, its turn and those that wait.
  int queue(JsonNode thread) {
    terminal.line(
        SafeText.line(
            "thread %s of session %s: %s"
                .formatted(
                    thread.path("thread_id").asText(),
                    thread.path("session_id").asText(),
                    thread.path("status").asText())));
    if (thread.path("turn").isObject()) {
      turn("now", thread.path("turn"));
    }
    for (JsonNode waiting : thread.path("queue")) {
      turn(waiting.path("position").asText(), waiting);
    }
    return ExitCode.DONE;
  }

  /// The same with the turns that were.
  int history(JsonNode thread) {
    int done = queue(thread);
    for (JsonNode turn : thread.path("turns")) {
      turn("-", turn);
    }
    return done;
  }

  private void turn(String place, JsonNode turn) {
    terminal.line(
        SafeText.line(
            "%-4s  %s  %s  %s"
                .formatted(
                    place,
                    turn.path("run_id").asText(),
                    turn.path("turn_id").asText(),
                    turn.path("status").asText("waiting"))));
  }

  /// What a thread goes on from after a command, and which turns are undone.
  int base(JsonNode answer) {
    String outcome = answer.path("outcome").asText();
    if (outcome.equals("unavailable")) {
      terminal.note("runyard: what the turn left is not kept any more");
      return ExitCode.FAILED;
    }
    turn(outcome, answer.at("/result/turn"));
    for (JsonNode run : answer.at("/result/undone")) {
      terminal.line(SafeText.line("undone  " + run.asText()));
    }
    return ExitCode.DONE;
  }

  /// How a command went.
  int outcome(JsonNode answer) {
    terminal.line(SafeText.line(answer.path("outcome").asText()));
    return ExitCode.DONE;
  }
}
