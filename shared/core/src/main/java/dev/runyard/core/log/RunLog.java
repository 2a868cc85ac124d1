package dev.runyard.core.log;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStream;
import dev.runyard.core.stream.Chain;
import java.time.InstantSource;
import java.util.List;

/// The one way to change a run: commands executed on its stream ([StreamLog]).
public final class RunLog {
  private final StreamLog<RunState, RunCommand, Decision, StoredEvent> log;

  public RunLog(
      EventLog log,
      Snapshots<RunState> snapshots,
      RunDecider decider,
      InstantSource clock,
      Ids ids,
      String writer) {
    this.log = new StreamLog<>(new RunStream(decider), log, snapshots, clock, ids, writer);
  }

  /// The run's current state, which includes every acknowledged append.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer; a
  ///   [dev.runyard.core.problem.LogAhead] when the run is so far ahead of its snapshot that
  ///   another load must continue
  public RunState load(RunKey run) {
    return log.load(run);
  }

  /// `state` and everything appended since.
  public RunState catchUp(RunKey run, RunState state) {
    return log.catchUp(run, state);
  }

  public Outcome execute(RunKey run, RunCommand command) {
    return execute(run, load(run), command);
  }

  /// Executes `command` on the run, whose state is `from` or later.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer; the command may
  ///   have been executed, and executing it again is safe
  public Outcome execute(RunKey run, RunState from, RunCommand command) {
    StreamLog.Result<RunState, Decision, StoredEvent> result = log.execute(run, from, command);
    return switch (result.decision()) {
      case Decision.Append _ -> new Outcome.Done(result.state(), result.appended());
      case Decision.Stay _ -> new Outcome.Unchanged(result.state());
      case Decision.Defer defer -> new Outcome.Deferred(result.state(), defer.beat());
      case Decision.Refuse refuse -> new Outcome.Refused(result.state(), refuse.reason());
    };
  }

  public Decision decide(RunState state, RunCommand command) {
    return log.decide(state, command);
  }

  /// The chunk that writes what `command` appends after `state`.
  public Chunk chunk(RunKey run, RunState state, RunCommand command, Decision.Append decision) {
    return log.chunk(run, state, log.events(run, state, command, decision));
  }

  /// The state of a run behind a chunk that follows `state`.
  public static RunState behind(RunState state, Chunk chunk) {
    return RunFold.chained(
        RunFold.fold(state, chunk.events(EventCodec.RUNS)),
        Chain.behind(state.chain(), chunk.first(), chunk.previous(), chunk.hash()));
  }

  public AppendResult append(Chunk chunk) {
    return log.append(chunk);
  }

  /// What became of a command, and the run's state after it.
  public sealed interface Outcome {
    RunState state();

    record Done(RunState state, List<StoredEvent> appended) implements Outcome {}

    record Unchanged(RunState state) implements Outcome {}

    /// Not now; `beat` as [Decision.Defer] has it.
    record Deferred(RunState state, long beat) implements Outcome {}

    record Refused(RunState state, Decision.Reason reason) implements Outcome {}
  }
}
