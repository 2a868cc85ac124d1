package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.ServerProblem;
import dev.runyard.cli.client.ServerReply;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToIntFunction;

/// Turns a reply of the server into output and an exit status.
final class Answers {
  private static final Set<String> AGENT_CODES =
      Set.of("unknown_backend", "unsupported_capability");

  private static final Set<String> CALLER_CODES =
      Set.of("unauthenticated", "not_signed", "invalid_signature", "expired_token");

  private final Terminal terminal;
  private final boolean json;

  Answers(Terminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /// Prints the body as JSON, or lets `text` print it, and returns 0; otherwise says what went
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

  /// Continues with the body of a reply, or says what went wrong.
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

  /// Says why the server refused, and returns the exit status.
  int refused(ServerProblem problem) {
    if (json) {
      terminal.json(problem.document());
    }
    terminal.note("runyard: " + said(problem));
    problem.errors().forEach(error -> terminal.note("  " + error));
    if (AGENT_CODES.contains(problem.code())) {
      terminal.note("see: ./runyard agents");
    }
    if (CALLER_CODES.contains(problem.code())) {
      terminal.note("see: ./runyard doctor, ./runyard login");
    }
    return problem.callerIsWrong() ? ExitCode.USAGE : ExitCode.FAILED;
  }

  /// The code and the detail; only the detail if it begins with the code in words.
  private static String said(ServerProblem problem) {
    String words = problem.code().replace('_', ' ');
    return problem.detail().toLowerCase(Locale.ROOT).startsWith(words)
        ? problem.detail()
        : problem.code() + ": " + problem.detail();
  }
}
