package dev.runyard.core.submit;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.thread.QueuedTurn;
import java.time.InstantSource;
import java.util.Optional;

/// Finds the run of a turn by the name that its request gave it, or by the one that follows from
/// the run's id.
public final class FindTurn {
  private final ThreadTurns turns;
  private final RunLog runs;
  private final IdempotencyStore keys;
  private final InstantSource clock;

  public FindTurn(ThreadTurns turns, RunLog runs, IdempotencyStore keys, InstantSource clock) {
    this.turns = turns;
    this.runs = runs;
    this.keys = keys;
    this.clock = clock;
  }

  /// The run of a turn of the thread.
  public Optional<RunState.Existing> of(ThreadTurns.In in, String turnId) {
    return turns
        .read(in)
        .find(turnId)
        .map(QueuedTurn::runId)
        .flatMap(runId -> named(in, runId, turnId))
        .or(() -> named(in, TurnIds.runOf(turnId), turnId))
        .or(() -> bound(in, SubmitKeys.ofTurn(turnId), turnId))
        .or(() -> bound(in, SubmitKeys.insteadOf(turnId), turnId));
  }

  private Optional<RunState.Existing> bound(ThreadTurns.In in, String key, String turnId) {
    return keys.find(in.thread().tenant(), key, clock.instant())
        .flatMap(runId -> named(in, runId, turnId));
  }

  /// The run, if it is of the thread, and its turn has that name.
  private Optional<RunState.Existing> named(ThreadTurns.In in, String runId, String turnId) {
    return Optional.of(runId)
        .filter(RunKey::isRunId)
        .flatMap(id -> existing(new RunKey(in.thread().tenant(), id)))
        .filter(run -> run.facts().request().threadId().equals(in.thread().id()))
        .filter(run -> isNamed(run, turnId));
  }

  private Optional<RunState.Existing> existing(RunKey run) {
    return runs.load(run) instanceof RunState.Existing existing
        ? Optional.of(existing)
        : Optional.empty();
  }

  private static boolean isNamed(RunState.Existing run, String turnId) {
    RunKey key = run.facts().run();
    return turnId.equals(run.facts().request().turnOf(key).turnId()) || turnId.equals(key.runId());
  }
}
