package dev.runyard.core.advance;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Recent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import java.time.InstantSource;

/// Advances a run: retries or completes it when an attempt has ended, ends it when its time is
/// over, sends its message when it waits for a runner, and starts the next run of its session when
/// it has ended. It decides from the log alone, so it may be called twice, late, or unnecessarily.
public final class AdvanceRun {
  /// Most changes one call may make: retry and completion are two.
  private static final int MOVES_MAX = 4;

  /// Ended runs a process remembers: those whose last records are under way.
  private static final int ENDED_MAX = 1000;

  private final RunLog runs;
  private final TurnOrder turns;
  private final InstantSource clock;
  private final Recent<RunKey, Long> ended = new Recent<>(ENDED_MAX);

  public AdvanceRun(RunLog runs, TurnOrder turns, InstantSource clock) {
    this.runs = runs;
    this.turns = turns;
    this.clock = clock;
  }

  /// The run's state afterwards.
  public RunState advance(RunKey run) {
    return released(advanced(run));
  }

  private RunState advanced(RunKey run) {
    RunState state = runs.load(run);
    for (int i = 0; i < MOVES_MAX; i++) {
      switch (runs.execute(run, state, new RunCommand.Advance(clock.instant()))) {
        case RunLog.Outcome.Done done -> state = sent(done);
        case RunLog.Outcome.Unchanged unchanged -> {
          return unchanged.state();
        }
        case RunLog.Outcome.Deferred deferred -> {
          return deferred.state();
        }
        case RunLog.Outcome.Refused refused -> {
          return refused.state();
        }
      }
    }
    return state;
  }

  /// Handles a run whose message reached the dead-letter queue.
  public RunState undelivered(RunKey run) {
    RunLog.Outcome outcome = runs.execute(run, new RunCommand.Undelivered(clock.instant()));
    return released(outcome instanceof RunLog.Outcome.Done done ? sent(done) : outcome.state());
  }

  /// True when the run waits for a runner, and not for its turn or a place.
  public boolean wantsRunner(RunState state) {
    return switch (state) {
      case RunState.Created run -> run.waiting().behind() == null && turns.mayBeFirst(run);
      case RunState.Retrying _ -> true;
      case RunState.Absent _,
          RunState.InProgress _,
          RunState.Paused _,
          RunState.CancellingIdle _,
          RunState.Cancelling _,
          RunState.Closed _ ->
          false;
    };
  }

  /// Records in a run that waits for a runner why none starts, or ends it when that lasts too long.
  /// A run whose turn has not come waits for another run and is not touched.
  public RunState block(RunKey run, RunCommand.Block block) {
    RunState state = runs.load(run);
    return wantsRunner(state) ? released(runs.execute(run, state, block).state()) : state;
  }

  /// True if [#block] has nothing to do for a run, as far as a state shows that may be old.
  public boolean leaves(RunState seen, RunCommand.Block block) {
    boolean behind = seen instanceof RunState.Created run && run.waiting().behind() != null;
    return behind || runs.decide(seen, block) instanceof Decision.Stay;
  }

  private RunState released(RunState state) {
    switch (state) {
      case RunState.Closed closed -> ended(closed);
      case RunState.Paused paused when paused.rests() -> turns.paused(paused);
      case RunState.Absent _, RunState.Open _ -> {}
    }
    return state;
  }

  /// The record of a run's end calls for the same once more, in case whoever wrote the end could
  /// not do it. A process that did it need not.
  private void ended(RunState.Closed run) {
    RunKey key = run.facts().run();
    if (ended.get(key).isEmpty()) {
      turns.ended(run);
      ended.put(key, run.sequence());
    }
  }

  private RunState sent(RunLog.Outcome.Done done) {
    RunState.Existing state = (RunState.Existing) done.state();
    for (StoredEvent stored : done.appended()) {
      if (stored.event() instanceof RunEvent.TaskQueued queued) {
        state = turns.send(state, queued.delaySeconds());
      }
    }
    return state;
  }
}
