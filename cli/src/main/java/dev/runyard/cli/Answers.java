package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.ServerProblem;
import dev.runyard.cli.client.ServerReply;
import java.util.function.ToIntFunction;

/// Turns a reply of the server into output and an exit status.
final class Answers {
  private final Terminal terminal;
  private final boolean json;

  Answers(Terminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /// Prints the body as JSON, or lets `text` print it, and answers 0; otherwise says what went
  /// wrong.
  int show(ServerReply reply, ToIntFunction<JsonNode> text) {
    return on(
        reply,
        body -> {
          if (json) {
            terminal.json(body);
            return ExitCode.DONE;
          }
          return text.applyAsInt(body);
        });
  }

  /// Goes on with the body of a reply, or says what went wrong.
  int on(ServerReply reply, ToIntFunction<JsonNode> next) {
    return switch (reply) {
      case ServerReply.Done(JsonNode body) -> next.applyAsInt(body);
      case ServerReply.Refused(ServerProblem problem) -> refused(problem);
      case ServerReply.Unreachable unreachable -> {
        terminal.note("runyard: " + unreachable.message());
        yield ExitCode.FAILED;
      }
    };
  }

  int refused(ServerProblem problem) {
    if (json) {
      terminal.json(problem.document());
    }
    terminal.note("runyard: " + problem.code() + ": " + problem.detail());
    problem.errors().forEach(error -> terminal.note("  " + error));
    return problem.callerIsWrong() ? ExitCode.USAGE : ExitCode.FAILED;
  }
}
