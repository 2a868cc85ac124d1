package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.LineReader;
import dev.runyard.runner.process.ProcessEnd;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Termination;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/// Runs a CLI: starts its process, reads its standard output line by line on a thread of its own,
/// and tells the events. The run ends after the whole process tree is gone.
public final class CliRun {
  private static final Failure LOST =
      new Failure(
          "agent_lost",
          Category.INTERNAL,
          "The runner lost track of the agent and ended it. Check what the agent had done, then"
              + " submit again.");

  private final AgentRun run = new AgentRun();
  private final AgentProcess process;
  private final CliDialect dialect;
  private final InstantSource clock;
  private final long startedAt;
  private Optional<Failure> givenUp = Optional.empty();
  private boolean warned;

  private CliRun(AgentProcess process, CliDialect dialect, InstantSource clock) {
    this.process = process;
    this.dialect = dialect;
    this.clock = clock;
    this.startedAt = clock.millis();
  }

  public static AgentRun start(
      ProcessLauncher launcher,
      AgentCommand command,
      RunMark mark,
      CliDialect dialect,
      InstantSource clock) {
    return switch (launcher.start(command, mark)) {
      case Termination.NotStarted not -> AgentRun.failed(launchFailed(not.reason()));
      case AgentProcess process -> {
        CliRun cli = new CliRun(process, dialect, clock);
        cli.run.onStop(process::terminate);
        Thread.ofPlatform().daemon().name("agent-" + mark.value()).start(cli::pump);
        yield cli.run;
      }
    };
  }

  private void pump() {
    try {
      for (RunEvent event : dialect.opening()) {
        run.tell(event);
      }
      tellLines();
      ProcessEnd end = process.end().get();
      tellEnd(end);
    } catch (InterruptedException | ExecutionException | RuntimeException _) {
      int left = process.terminate().left().size();
      run.end(ended(Optional.empty(), Optional.of(LOST), left));
    }
  }

  private void tellLines() throws InterruptedException {
    try (LineReader lines = process.stdout()) {
      for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
        switch (line.get()) {
          case Line.Text text -> tellLine(text);
          case Line.Oversize big ->
              run.tell(
                  new RunEvent.OutputTruncated(
                      "line", big.totalBytes(), LineReader.LINE_BYTES_MAX));
        }
      }
    } catch (IOException _) {
      warned = true;
    }
  }

  private void tellLine(Line.Text text) throws InterruptedException {
    if (text.replaced() && !warned) {
      warned = true;
      run.tell(
          new RunEvent.RuntimeWarning(
              "invalid_utf8", "The agent printed bytes that are not UTF-8; they were replaced."));
    }
    for (RunEvent event : dialect.line(text.text())) {
      run.tell(event);
    }
    if (givenUp.isEmpty()) {
      givenUp = dialect.giveUp();
      givenUp.ifPresent(_ -> Thread.ofVirtual().name("give-up").start(process::terminate));
    }
  }

  private void tellEnd(ProcessEnd end) throws InterruptedException {
    switch (end.termination()) {
      case Termination.Exited exited -> tellEnd(new Attempt.Exit(exited.code(), null), end);
      case Termination.Signalled signalled ->
          tellEnd(new Attempt.Exit(null, signalled.number()), end);
      case Termination.NotStarted not ->
          run.end(ended(Optional.empty(), Optional.of(launchFailed(not.reason())), 0));
    }
  }

  private void tellEnd(Attempt.Exit exit, ProcessEnd end) throws InterruptedException {
    CliDialect.Ending ending = dialect.end(exit, process.stderrTail());
    for (RunEvent event : last(ending)) {
      run.tell(event);
    }
    int left = end.leftovers().left().size();
    if (left > 0) {
      run.tell(processesLeft(left));
    }
    run.end(ended(Optional.of(exit), givenUp.or(ending::failure), left));
  }

  /// A complaint about having been ended is no news to whoever ended it.
  private List<RunEvent> last(CliDialect.Ending ending) {
    return run.stopAsked()
        ? ending.last().stream().filter(e -> !(e instanceof RunEvent.RuntimeError)).toList()
        : ending.last();
  }

  private AgentSignal.Ended ended(
      Optional<Attempt.Exit> exit, Optional<Failure> failure, int left) {
    return new AgentSignal.Ended(exit, clock.millis() - startedAt, failure, left);
  }

  static RunEvent.RuntimeWarning processesLeft(int left) {
    return new RunEvent.RuntimeWarning(
        "processes_left", "%d processes of the agent could not be ended.".formatted(left));
  }

  private static Failure launchFailed(String reason) {
    return new Failure(
        Failure.LAUNCH_FAILED, Category.BACKEND, "The agent could not be started: " + reason + ".");
  }
}
