package dev.runyard.core.drive;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import java.time.InstantSource;

/// Moves a run on: retries or completes it when an attempt has ended, ends it when its time is
/// over, sends its message when it waits for a runner, and lets the next run of its session go when
/// it has ended. It decides from the log alone, so it may be called twice, late, or for nothing.
public final class DriveRun {
  /// Moves one call may make: retry and completion are two at most.
  private static final int MOVES_MAX = 4;

  private final RunLog runs;
  private final TurnOrder turns;
  private final InstantSource clock;

  public DriveRun(RunLog runs, TurnOrder turns, InstantSource clock) {
    this.runs = runs;
    this.turns = turns;
    this.clock = clock;
  }

  /// The run as it stands afterwards.
  public RunState drive(RunKey run) {
    return released(advanced(run));
  }

  private RunState advanced(RunKey run) {
    RunState state = runs.load(run);
    for (int i = 0; i < MOVES_MAX; i++) {
      switch (runs.execute(run, state, new RunCommand.Advance(clock.instant()))) {
        case RunLog.Outcome.Done done -> {
          state = done.state();
          send(run, done);
        }
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

  /// Ends a run whose message no runner could finish.
  public RunState abandon(RunKey run, String message) {
    return released(runs.execute(run, new RunCommand.Abandon(message)).state());
  }

  private RunState released(RunState state) {
    if (state instanceof RunState.Closed closed) {
      turns.release(closed.facts().run().tenant(), closed.facts().request().sessionId());
    }
    return state;
  }

  private void send(RunKey run, RunLog.Outcome.Done done) {
    for (StoredEvent stored : done.appended()) {
      if (stored.event() instanceof RunEvent.TaskQueued queued) {
        turns.send(
            run,
            ((RunState.Existing) done.state()).facts().request().sessionId(),
            queued.delaySeconds());
      }
    }
  }
}
