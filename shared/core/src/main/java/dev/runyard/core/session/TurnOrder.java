package dev.runyard.core.session;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.quota.RunPlaces;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadState;
import java.util.List;
import java.util.Set;

/// Lets the runs of a thread run one after another: a run's queue message is sent when the runs
/// before it have ended. A run that begins a session has the session's id and need not wait.
public final class TurnOrder {
  /// Most runs of a thread that have not ended, including the running one.
  public static final int SESSION_RUNS_MAX = 100;

  private final ThreadTurns turns;
  private final RunLog runs;
  private final RunPlaces places;

  /// @param runs read from their snapshots
  public TurnOrder(ThreadTurns turns, RunLog runs, RunPlaces places) {
    this.turns = turns;
    this.runs = runs;
    this.places = places;
  }

  /// The order itself.
  public ThreadTurns turns() {
    return turns;
  }

  /// True while the thread takes another run.
  public boolean hasRoom(String tenant, RunRequest request) {
    return hasRoom(tenant, request, 0);
  }

  /// The same, when so many others are about to take their places.
  public boolean hasRoom(String tenant, RunRequest request, int others) {
    int taken = turns.read(ThreadTurns.In.of(tenant, request)).turns().size();
    return taken + others < SESSION_RUNS_MAX;
  }

  /// Sends the run if it is its turn, which may then wait for a place; otherwise the run takes its
  /// place in the thread, if it has none yet, and [#ended] sends its message later. A run that has
  /// already ended needs neither.
  ///
  /// @return the run with its place recorded
  public RunState.Existing send(RunState.Existing run, int delaySeconds) {
    RunKey key = run.facts().run();
    RunRequest request = run.facts().request();
    if (request.begins(key)) {
      return places.send(run, delaySeconds);
    }
    QueuedTurn turn = new QueuedTurn(request.turnOf(key).turnId(), key.runId());
    List<String> order = turns.settle(ThreadTurns.In.of(run), turn, Set.of()).runs();
    if (order.isEmpty()) {
      return run;
    }
    return order.getFirst().equals(key.runId())
        ? places.send(run, delaySeconds)
        : placed(run, order.getFirst());
  }

  /// Lets others have the place and the turn of a run that has ended, and sends the message of the
  /// next one.
  public void ended(RunState.Closed run) {
    places.ended(run);
    leave(ThreadTurns.In.of(run), run.facts().run().runId());
  }

  /// Takes a run out of its thread, and sends the message of the one whose turn that makes it.
  public void leave(ThreadTurns.In in, String runId) {
    List<String> before = turns.read(in).runs();
    if (before.isEmpty()) {
      return;
    }
    ThreadState after = turns.settle(in, null, Set.of(runId));
    boolean waited = before.indexOf(runId) > 0;
    if (!waited && !after.turns().isEmpty()) {
      RunKey next = new RunKey(in.thread().tenant(), after.runs().getFirst());
      if (runs.load(next) instanceof RunState.Created created) {
        places.send(created, 0);
      }
    }
  }

  /// Lets others have the place of a run that rests; its turn is not over.
  public void paused(RunState.Paused run) {
    places.paused(run);
  }

  /// False when runs before it in its thread have not ended, or are not known to have ended.
  public boolean mayBeFirst(RunState.Existing run) {
    RunKey key = run.facts().run();
    if (run.facts().request().begins(key)) {
      return true;
    }
    List<String> order = turns.read(ThreadTurns.In.of(run)).runs();
    return order.isEmpty() || order.getFirst().equals(key.runId());
  }

  /// Records that the run waits `behind` another, if its log does not say so yet.
  private RunState.Existing placed(RunState.Existing run, String behind) {
    boolean known =
        !(run instanceof RunState.Created created) || created.waiting().behind() != null;
    return known
        ? run
        : (RunState.Existing)
            runs.execute(run.facts().run(), run, new RunCommand.Turn(behind)).state();
  }
}
