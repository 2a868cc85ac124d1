package dev.runyard.runner.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.checkout.PreparationSteps;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import dev.runyard.runner.process.Termination;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The commands that make a workspace ready, one after another until one fails.
///
/// @param processes start them where they belong
/// @param environment whole
record SetupCommands(
    PreparationSteps steps,
    ProcessLauncher processes,
    InstantSource clock,
    RunMark mark,
    Path workspace,
    Map<String, String> environment) {
  /// What is kept of a command's output while it runs; less of it is told.
  static final int OUTPUT_CHARS_MAX = 64 * 1024;

  /// What is kept of a line.
  static final int LINE_BYTES_MAX = 16 * 1024;

  private static final String HOOK = "setup";

  /// Runs them.
  ///
  /// @param atMost for all of them
  /// @param tell takes an event for each
  Optional<Failure> run(
      List<String> commands, Duration atMost, Redaction redaction, Consumer<RunEvent> tell)
      throws InterruptedException {
    Instant until = clock.instant().plus(atMost);
    for (int i = 0; i < commands.size(); i++) {
      Instant began = clock.instant();
      Tail tail = new Tail();
      PreparationSteps.Ended ended =
          steps.run(
              processes,
              new AgentCommand(
                  List.of("/bin/sh", "-c", "exec 2>&1\n" + commands.get(i)),
                  workspace,
                  environment,
                  new Stdin.Closed()),
              mark,
              Duration.between(began, until),
              tail);
      tell.accept(
          told(
              i + 1,
              ended,
              Duration.between(began, clock.instant()).toMillis(),
              tail.text(redaction)));
      Optional<Failure> failure = failure(i + 1, ended);
      if (failure.isPresent()) {
        return failure;
      }
    }
    return Optional.empty();
  }

  private static RunEvent told(
      int command, PreparationSteps.Ended ended, long millis, String output) {
    Integer code = null;
    Integer signal = null;
    if (ended instanceof PreparationSteps.Ended.Exited(Termination termination, String _)) {
      switch (termination) {
        case Termination.Exited(int number) -> code = number;
        case Termination.Signalled(int number) -> signal = number;
        case Termination.NotStarted _ -> {}
      }
    }
    return new WorkspaceNotice.HookCompleted(
        HOOK,
        command,
        code,
        signal,
        millis,
        Bounds.ends(Bounds.wellFormed(output), Bounds.MESSAGE_BYTES_MAX));
  }

  private static Optional<Failure> failure(int command, PreparationSteps.Ended ended) {
    return switch (ended) {
      case PreparationSteps.Ended.Exited exited when exited.well() -> Optional.empty();
      case PreparationSteps.Ended.Exited(Termination.Exited(int code), String _) ->
          failed("Command %d of setup ended with exit code %d.".formatted(command, code));
      case PreparationSteps.Ended.Exited _ ->
          failed("Command %d of setup was killed.".formatted(command));
      case PreparationSteps.Ended.TimeOver _, PreparationSteps.Ended.TooMuch _ ->
          failed(
              "Command %d of setup did not end within setup_timeout_seconds.".formatted(command));
      case PreparationSteps.Ended.Limited(Failure failure) -> Optional.of(failure);
      case PreparationSteps.Ended.Stopped _ ->
          Optional.of(Prepared.notStarted("the runner is being stopped"));
      case PreparationSteps.Ended.NotStarted(String reason) ->
          Optional.of(Prepared.notStarted(reason));
    };
  }

  private static Optional<Failure> failed(String what) {
    return Optional.of(
        new Failure(
            Failure.SETUP_FAILED,
            Category.CALLER,
            what + " See what it printed in hook.completed."));
  }

  /// The last lines of what a process prints. No line is begun in its middle, and one that is cut
  /// says so, since of what is cut only whole secrets are known. Thread-safe.
  private static final class Tail implements PreparationSteps.Watch {
    private final Deque<String> lines = new ArrayDeque<>();
    private int chars;

    @Override
    public synchronized void line(Line line) {
      String shown =
          switch (line) {
            case Line.Text(String whole, boolean _) -> Bounds.truncate(whole, LINE_BYTES_MAX);
            case Line.Oversize(String preview, long _) ->
                Bounds.truncate(preview + Bounds.TRUNCATED, LINE_BYTES_MAX);
          };
      lines.add(shown);
      chars += shown.length() + 1;
      while (chars > OUTPUT_CHARS_MAX) {
        chars -= lines.remove().length() + 1;
      }
    }

    @Override
    public boolean tooMuch() {
      return false;
    }

    synchronized String text(Redaction redaction) {
      StringBuilder text = new StringBuilder();
      StringBuilder uncut = new StringBuilder();
      for (String line : lines) {
        uncut.append(line);
        if (line.endsWith(Bounds.TRUNCATED)) {
          text.append(redaction.text(uncut.toString()));
          uncut.setLength(0);
        }
        uncut.append('\n');
      }
      return text.append(redaction.text(uncut.toString())).toString();
    }
  }
}
