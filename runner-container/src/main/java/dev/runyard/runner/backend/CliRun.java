package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.isolation.LimitReached;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.LineReader;
import dev.runyard.runner.process.LineWriter;
import dev.runyard.runner.process.ProcessEnd;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Termination;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Runs a CLI: starts its process, reads its standard output line by line on its own thread,
/// reports the events, and writes to it what its protocol says. The run ends after the whole
/// process tree is gone.
public final class CliRun implements AgentControl {
  /// How long an agent that was asked to end over its own protocol may take before its processes
  /// are signalled.
  public static final int POLITE_MILLIS = 1_000;

  /// How long an agent without further input may take to end by itself.
  public static final int LEAVE_MILLIS = 5_000;

  static final Failure NOT_READING =
      Failure.backend(
          "agent_not_reading",
          "The agent does not read its input, so the runner stopped it. Check that the program"
              + " is the intended agent.");

  private static final String READS_NOTHING = "the agent does not read its input";

  private static final Failure LOST =
      new Failure(
          "agent_lost",
          Category.INTERNAL,
          "The runner lost track of the agent and ended it. Check what the agent had done, then"
              + " submit again.");

  private final AgentOutput output;
  private final ReentrantLock lock = new ReentrantLock();
  private final AgentProcess process;
  private final LineWriter stdin;
  private final InteractiveProtocol dialect;
  private final InstantSource clock;
  private final long startedAt;
  private Optional<Failure> givenUp = Optional.empty();
  private boolean over;
  private volatile boolean sentAway;
  private boolean warned;

  private CliRun(
      AgentOutput output,
      AgentProcess process,
      LineWriter stdin,
      InteractiveProtocol dialect,
      InstantSource clock) {
    this.output = output;
    this.process = process;
    this.stdin = stdin;
    this.dialect = dialect;
    this.clock = clock;
    this.startedAt = clock.millis();
  }

  /// Starts a CLI whose output is only read.
  public static AgentRun start(
      BackendContext context, AgentCommand command, RunMark mark, OutputParser dialect) {
    return start(context, command, mark, new OutputOnly(dialect));
  }

  /// Starts an interactive CLI that keeps its place while it waits for a person; its command leaves
  /// standard input open.
  public static AgentRun start(
      BackendContext context, AgentCommand command, RunMark mark, InteractiveProtocol dialect) {
    return start(context, command, mark, dialect, new PausePolicy.HoldsPlace());
  }

  /// Starts an interactive CLI; its command leaves standard input open.
  ///
  /// @param pausing whether it may be ended while it waits for a person
  public static AgentRun start(
      BackendContext context,
      AgentCommand command,
      RunMark mark,
      InteractiveProtocol dialect,
      PausePolicy pausing) {
    return start(context, command, mark, dialect, pausing, new AgentOutput(context.shaper()));
  }

  /// The same.
  ///
  /// @param output shapes and filters what the agent reports
  public static AgentRun start(
      BackendContext context,
      AgentCommand command,
      RunMark mark,
      InteractiveProtocol dialect,
      PausePolicy pausing,
      AgentOutput output) {
    return switch (context.processes().start(command, mark)) {
      case Termination.NotStarted not -> AgentRun.failed(launchFailed(not.reason()));
      case AgentProcess process -> {
        String name = "agent-" + mark.value();
        LineWriter stdin =
            new LineWriter(process.stdin(), name + "-stdin", dialect.waitingBytesMax());
        CliRun cli = new CliRun(output, process, stdin, dialect, context.clock());
        var _ = process.limit().thenAccept(cli::limitReached);
        List<Effect> opening = cli.opening();
        Thread.ofPlatform().daemon().name(name).start(() -> cli.pump(opening));
        yield new AgentRun(output, cli, pausing);
      }
    };
  }

  /// Called by the attempt: writes what must be written and does not wait.
  @Override
  public void deliver(AgentInput input) {
    lock.lock();
    try {
      if (over) {
        return;
      }
      boolean message = input instanceof AgentInput.Said;
      now(
          message && !stdin.hasRoom()
              ? List.of(new Effect.Refuse(input, READS_NOTHING))
              : dialect.input(input));
      checkGivenUp();
    } catch (RuntimeException _) {
      giveUp(LOST);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void stop() {
    boolean said = false;
    boolean unawares = false;
    lock.lock();
    try {
      if (!over) {
        List<Effect.Prompt> last = dialect.stop();
        now(last);
        said = !last.isEmpty();
        unawares = dialect.unawares();
      }
    } catch (RuntimeException _) {
      giveUp(LOST);
    } finally {
      lock.unlock();
    }
    if (said) {
      awaitEnd(dialect.politeMillis());
    }
    var _ = unawares ? process.kill() : process.terminate();
  }

  @Override
  public void kill() {
    process.kill();
  }

  private void pump(List<Effect> opening) {
    try {
      Optional<SandboxApplied> sandbox = process.sandbox();
      if (sandbox.isPresent()) {
        output.tell(sandbox.get());
      }
      act(opening);
      tellLines();
      ProcessEnd end = process.end().get();
      tellEnd(end);
    } catch (InterruptedException | ExecutionException | RuntimeException _) {
      int left = process.terminate().left().size();
      stdin.drop();
      output.end(ended(Optional.empty(), Optional.of(LOST), left));
    }
  }

  private void tellLines() throws InterruptedException {
    try (LineReader lines = process.stdout()) {
      for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
        switch (line.get()) {
          case Line.Text text -> tellLine(text);
          case Line.Oversize big -> act(moves(() -> dialect.oversize(big)));
        }
      }
    } catch (IOException _) {
      warned = true;
    }
  }

  private void tellLine(Line.Text text) throws InterruptedException {
    if (text.replaced() && !warned) {
      warned = true;
      output.tell(
          new RunEvent.RuntimeWarning(
              "invalid_utf8", "The agent printed bytes that are not UTF-8; they were replaced."));
    }
    act(moves(() -> dialect.line(text.text())));
  }

  private List<Effect> opening() {
    lock.lock();
    try {
      List<Effect> moves = dialect.open();
      now(moves);
      return moves;
    } finally {
      lock.unlock();
    }
  }

  private List<Effect> moves(Supplier<List<Effect>> read) {
    lock.lock();
    try {
      List<Effect> moves = read.get();
      now(moves);
      checkGivenUp();
      return moves;
    } finally {
      lock.unlock();
    }
  }

  /// Does what never waits, under the lock.
  private void now(List<? extends Effect> moves) {
    for (Effect move : moves) {
      switch (move) {
        case Effect.Took took -> output.took(took.input());
        case Effect.Refuse refuse -> output.refuse(refuse.input(), refuse.reason());
        case Effect.Write write -> write(write.line());
        case Effect.Close(int leaveMillis) -> {
          stdin.close();
          Thread.ofPlatform().daemon().name("leave").start(() -> leave(leaveMillis));
        }
        case Effect.Expect expect ->
            Thread.ofPlatform().daemon().name("expect").start(() -> expect(expect));
        case Effect.Tell _, Effect.Ask _, Effect.Reply _ -> {}
      }
    }
  }

  private void write(String line) {
    if (!stdin.offer(line)) {
      giveUp(NOT_READING);
    }
  }

  /// Does what may wait, outside of the lock.
  private void act(List<Effect> moves) throws InterruptedException {
    for (Effect move : moves) {
      switch (move) {
        case Effect.Tell tell -> output.tell(tell.event());
        case Effect.Ask ask -> output.ask(ask.question());
        case Effect.Reply reply -> {
          String line = reply.line().get();
          moves(() -> List.of(new Effect.Write(line)));
        }
        case Effect.Prompt _ -> {}
      }
    }
  }

  private void expect(Effect.Expect expect) {
    if (!awaitEnd(expect.millis())) {
      lock.lock();
      try {
        expect.failure().get().ifPresent(this::giveUp);
      } finally {
        lock.unlock();
      }
    }
  }

  private void leave(int millis) {
    if (!awaitEnd(millis)) {
      sentAway = process.isRunning();
      process.terminate();
    }
  }

  /// True once the process tree is gone, at the latest after this long.
  private boolean awaitEnd(int millis) {
    try {
      process.end().get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void checkGivenUp() {
    if (givenUp.isEmpty()) {
      dialect.giveUp().ifPresent(this::giveUp);
    }
  }

  private void giveUp(Failure why) {
    giveUp(why, process::terminate);
  }

  private void giveUp(Failure why, Runnable end) {
    if (givenUp.isEmpty()) {
      givenUp = Optional.of(why);
      Thread.ofPlatform().daemon().name("give-up").start(end);
    }
  }

  /// Who takes too much gets no time to take more.
  private void limitReached(Failure why) {
    lock.lock();
    try {
      giveUp(why, process::kill);
    } finally {
      lock.unlock();
    }
  }

  private void tellEnd(ProcessEnd end) throws InterruptedException {
    stdin.drop();
    switch (end.termination()) {
      case Termination.Exited exited -> tellEnd(new Attempt.Exit(exited.code(), null), end);
      case Termination.Signalled signalled -> {
        if (signalled.number() == LimitReached.FILE_SIGNAL && process.sandbox().isPresent()) {
          limitReached(LimitReached.fileSize());
        }
        tellEnd(new Attempt.Exit(null, signalled.number()), end);
      }
      case Termination.NotStarted not ->
          output.end(ended(Optional.empty(), Optional.of(launchFailed(not.reason())), 0));
    }
  }

  private void tellEnd(Attempt.Exit exit, ProcessEnd end) throws InterruptedException {
    OutputParser.Ending ending = ending(exit);
    for (RunEvent event : last(ending)) {
      output.tell(event);
    }
    int left = end.leftovers().left().size();
    if (left > 0) {
      output.tell(processesLeft(left));
    }
    output.end(ended(Optional.of(exit), givenUp.or(ending::failure), left));
  }

  /// How an agent that had finished its work exits once it is sent away says nothing of it.
  private OutputParser.Ending ending(Attempt.Exit exit) {
    lock.lock();
    try {
      over = true;
      return dialect.end(sentAway ? new Attempt.Exit(0, null) : exit, process.stderrTail());
    } finally {
      lock.unlock();
    }
  }

  /// Errors caused by ending the CLI are not reported.
  private List<RunEvent> last(OutputParser.Ending ending) {
    return output.stopAsked()
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
