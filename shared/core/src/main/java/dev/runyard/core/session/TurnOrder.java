package dev.runyard.core.session;

import dev.runyard.core.log.RunLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.List;

/// Lets the runs of a session run one after another: a run's queue message is sent when the runs
/// before it have ended. Whether they have is read from their logs; the order kept beside them says
/// only who comes when, so that a lost step is made good by whoever looks next.
///
/// A run that begins a session has the session's id and goes without asking.
public final class TurnOrder {
  /// Runs of a session that have not ended, the running one among them.
  public static final int SESSION_RUNS_MAX = 100;

  /// Writes of others one look may meet. Each one means that somebody else made progress.
  private static final int COLLISIONS_MAX = 200;

  private final SessionTurns turns;
  private final RunLog runs;
  private final RunQueue queue;

  /// @param runs read from snapshots on
  public TurnOrder(SessionTurns turns, RunLog runs, RunQueue queue) {
    this.turns = turns;
    this.runs = runs;
    this.queue = queue;
  }

  /// True while the session takes another run.
  public boolean hasRoom(String tenant, String sessionId) {
    return turns.read(tenant, sessionId).runs().size() < SESSION_RUNS_MAX;
  }

  /// Sends the run's message if it is its turn; else the run takes its place in the session, if it
  /// has none yet, and is sent by [#release].
  public void send(RunKey run, String sessionId, int delaySeconds) {
    if (sessionId.equals(run.runId()) || first(run, sessionId).equals(List.of(run.runId()))) {
      queue.send(run, delaySeconds);
    }
  }

  /// Sends the message of the session's next run, after one has ended.
  public void release(String tenant, String sessionId) {
    SessionTurns.Turns there = turns.read(tenant, sessionId);
    if (there.runs().isEmpty()) {
      return;
    }
    for (String next : settle(tenant, sessionId, List.of())) {
      RunKey run = new RunKey(tenant, next);
      if (runs.load(run) instanceof RunState.Created) {
        queue.send(run, 0);
      }
    }
  }

  private List<String> first(RunKey run, String sessionId) {
    return settle(run.tenant(), sessionId, List.of(run.runId()));
  }

  /// Gives `joining` its place and takes away the ended runs in front. What is left at the front is
  /// looked at once more after it was written: whoever ends meanwhile either sees the write or is
  /// seen here.
  private List<String> settle(String tenant, String sessionId, List<String> joining) {
    for (int i = 0; i < COLLISIONS_MAX; i++) {
      SessionTurns.Turns there = turns.read(tenant, sessionId);
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
