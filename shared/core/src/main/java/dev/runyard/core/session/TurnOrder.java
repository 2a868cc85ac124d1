package dev.runyard.core.session;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.quota.RunPlaces;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.List;

/// Lets the runs of a session run one after another: a run's queue message is sent when the runs
/// before it have ended. Whether they have is read from their logs; the stored order says only
/// which run comes when, so that the next caller repeats a lost step. A run that begins a session
/// has the session's id and need not wait.
public final class TurnOrder {
  /// Most runs of a session that have not ended, including the running one.
  public static final int SESSION_RUNS_MAX = 100;

  /// Most collisions with other writers in one call. Each one means that somebody else made
  /// progress.
  private static final int COLLISIONS_MAX = 200;

  private final SessionQueue turns;
  private final RunLog runs;
  private final RunPlaces places;

  /// @param runs read from their snapshots
  public TurnOrder(SessionQueue turns, RunLog runs, RunPlaces places) {
    this.turns = turns;
    this.runs = runs;
    this.places = places;
  }

  /// True while the session takes another run.
  public boolean hasRoom(String tenant, String sessionId) {
    return turns.read(tenant, sessionId).runs().size() < SESSION_RUNS_MAX;
  }

  /// Sends the run if it is its turn, which may then wait for a place; otherwise the run takes its
  /// place in the session, if it has none yet, and [#release] sends its message later. A run that
  /// has already ended needs neither.
  ///
  /// @return the run with its place recorded
  public RunState.Existing send(RunState.Existing run, int delaySeconds) {
    RunKey key = run.facts().run();
    String sessionId = run.facts().request().sessionId();
    if (sessionId.equals(key.runId())) {
      return places.send(run, delaySeconds);
    }
    List<String> first = settle(key.tenant(), sessionId, List.of(key.runId()));
    if (first.isEmpty()) {
      return run;
    }
    if (!first.getFirst().equals(key.runId())) {
      return placed(run, first.getFirst());
    }
    return places.send(run, delaySeconds);
  }

  /// Lets others have the place and the turn of a run that has ended.
  public void ended(RunState.Closed run) {
    places.ended(run);
    release(run.facts().run().tenant(), run.facts().request().sessionId());
  }

  /// Lets others have the place of a run that waits for a person; its turn is not over.
  public void paused(RunState.Paused run) {
    places.paused(run);
  }

  /// Sends the message of the session's next run, after one has ended.
  public void release(String tenant, String sessionId) {
    SessionQueue.Turns there = turns.read(tenant, sessionId);
    if (there.runs().isEmpty()) {
      return;
    }
    for (String next : settle(tenant, sessionId, List.of())) {
      RunKey run = new RunKey(tenant, next);
      if (runs.load(run) instanceof RunState.Created created) {
        places.send(created, 0);
      }
    }
  }

  /// False when runs before it in its session have not ended, or are not known to have ended.
  public boolean mayBeFirst(RunKey run, String sessionId) {
    if (sessionId.equals(run.runId())) {
      return true;
    }
    List<String> order = turns.read(run.tenant(), sessionId).runs();
    return order.isEmpty() || order.getFirst().equals(run.runId());
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

  /// Gives `joining` its place and removes the ended runs in front. After the write, the first run
  /// is checked once more: a run that ends in the meantime either sees the write or is seen here.
  private List<String> settle(String tenant, String sessionId, List<String> joining) {
    for (int i = 0; i < COLLISIONS_MAX; i++) {
      SessionQueue.Turns there = turns.read(tenant, sessionId);
      List<String> order = new ArrayList<>(there.runs());
      if (there.version() == 0 && !joining.isEmpty() && RunKey.isRunId(sessionId)) {
        order.add(sessionId);
      }
      joining.stream().filter(run -> !order.contains(run)).forEach(order::add);
      while (!order.isEmpty() && over(new RunKey(tenant, order.getFirst()), sessionId)) {
        order.removeFirst();
      }
      if (order.equals(there.runs())) {
        return order.stream().limit(1).toList();
      }
      turns.write(tenant, sessionId, there.with(order));
    }
    throw new IllegalStateException("no place in session " + sessionId);
  }

  private boolean over(RunKey run, String sessionId) {
    return switch (runs.load(run)) {
      case RunState.Absent _, RunState.Closed _ -> true;
      case RunState.Open open -> !open.facts().request().sessionId().equals(sessionId);
    };
  }
}
