package dev.runyard.runner.backend.codex;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How a Codex process ended, by meaning.
///
/// @param last the events that remain to be written: ends of tools, warnings, and for a failure one
///   error with the failure's own message
/// @param failure empty for success
public record CodexOutcome(List<RunEvent> last, Optional<Failure> failure) {

  static final Failure NO_OUTPUT =
      Failure.backend(
          "no_output",
          "Codex ended without printing an event that is known here. Check that the program is"
              + " Codex and takes `exec --json`.");

  private static final int USAGE_EXIT_CODE = 2;

  public CodexOutcome {
    last = List.copyOf(last);
  }

  /// Judges an ended process whose lines were all passed to `stream`.
  ///
  /// @param stderr the end of its standard error, which is not stored
  public static CodexOutcome of(CodexStream stream, Attempt.Exit exit, String stderr) {
    Optional<Failure> failure = stream.giveUp().or(() -> failure(stream.facts(), exit, stderr));
    List<RunEvent> last = new ArrayList<>(stream.closeTools());
    last.addAll(refusals(stderr));
    failure.ifPresent(why -> last.add(new RunEvent.RuntimeError(why.code(), why.message())));
    return new CodexOutcome(last, failure);
  }

  private static Optional<Failure> failure(CodexFacts facts, Attempt.Exit exit, String stderr) {
    Integer signal = exit.signal();
    if (signal != null) {
      return Optional.of(AgentTrouble.killed("Codex", signal));
    }
    Integer code = exit.code();
    boolean clean = code != null && code == 0 && !facts.turnFailed();
    if (clean) {
      return facts.understood() ? Optional.empty() : Optional.of(NO_OUTPUT);
    }
    return Optional.of(
        facts.trouble().or(() -> complaint(code, stderr)).orElse(CodexTrouble.OTHER).failure());
  }

  private static Optional<CodexTrouble> complaint(@Nullable Integer code, String stderr) {
    return CodexTrouble.find(stderr)
        .or(
            () ->
                code != null && code == USAGE_EXIT_CODE
                    ? Optional.of(CodexTrouble.BAD_USAGE)
                    : Optional.empty());
  }

  /// Codex prints no event for a change it refuses to make; without a warning the agent would seem
  /// to have done nothing.
  private static List<RunEvent> refusals(String stderr) {
    List<RunEvent> warnings = new ArrayList<>();
    if (stderr.contains("blocked by read-only sandbox")) {
      warnings.add(
          new RunEvent.RuntimeWarning(
              "change_refused",
              "Codex refused to change a file because its sandbox is read-only. Set"
                  + " backend.codex.exec.sandbox_mode to workspace-write to allow it."));
    }
    if (stderr.contains("writing outside of the project")) {
      warnings.add(
          new RunEvent.RuntimeWarning(
              "change_refused",
              "Codex refused to change a file outside the workspace. Name its directory in"
                  + " agent_api.exec.add_dirs.v1 to allow it."));
    }
    return warnings;
  }
}
