package dev.runyard.core.session;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.thread.QueueChange;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadChange;
import dev.runyard.core.thread.ThreadDecision;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.core.thread.ThreadLog;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.core.thread.ThreadState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The turns of threads in their order. Whether a run has ended is read from its log; that of its
/// thread says only which run comes when, so that whoever comes next repeats a lost step.
public final class ThreadTurns {
  /// Most rounds of one call. Each one means that a run has ended meanwhile.
  private static final int ROUNDS_MAX = 200;

  /// For how long a place is kept for a run that is not there yet: whoever took it writes the run
  /// within a minute, or has died. When it was taken is said by one clock, and how long ago that is
  /// by another.
  public static final int PLACE_SECONDS = 60 + Limits.CLOCK_SKEW_SECONDS_MAX;

  private final ThreadLog threads;
  private final SessionQueue earlier;
  private final RunLog runs;
  private final InstantSource clock;
  private final Instant began;

  /// @param earlier orders from before threads had logs
  /// @param runs read from their snapshots
  public ThreadTurns(ThreadLog threads, SessionQueue earlier, RunLog runs, InstantSource clock) {
    this.threads = threads;
    this.earlier = earlier;
    this.runs = runs;
    this.clock = clock;
    this.began = clock.instant();
  }

  /// A thread, and the session it is of.
  public record In(ThreadKey thread, String sessionId) {
    public static In of(String tenant, RunRequest request) {
      return new In(new ThreadKey(tenant, request.threadId()), request.sessionId());
    }

    public static In of(RunState.Existing run) {
      return of(run.facts().run().tenant(), run.facts().request());
    }
  }

  /// The thread as it is, with the order that an earlier release has left if it has no log yet.
  public ThreadState read(In in) {
    ThreadState state = threads.load(in.thread());
    return state.exists() ? state : ThreadState.unlogged(in.sessionId(), before(in, false));
  }

  /// True for a thread of a session whose runs an earlier release has put in order.
  boolean wasKnown(In in) {
    return in.thread().id().equals(TurnIds.threadOf(in.sessionId()))
        && earlier.read(in.thread().tenant(), in.sessionId()).version() > 0;
  }

  /// The turn that the thread has: the first of its runs that has not ended.
  public Optional<RunState.Open> current(In in) {
    ThreadState state = threads.load(in.thread());
    List<QueuedTurn> order = state.exists() ? state.turns() : before(in, true);
    for (QueuedTurn turn : order) {
      if (runs.load(new RunKey(in.thread().tenant(), turn.runId())) instanceof RunState.Open open
          && open.facts().request().threadId().equals(in.thread().id())) {
        return Optional.of(open);
      }
    }
    return Optional.empty();
  }

  /// True when no run of the thread's order runs, waits, or is about to be written.
  boolean isIdle(In in, ThreadState state) {
    List<QueuedTurn> order = state.exists() ? state.turns() : before(in, true);
    return overInFront(in, order, Set.of(), state.exists()).size() == order.size();
  }

  /// The session of a thread, if there is the thread.
  public Optional<String> session(ThreadKey thread) {
    return Optional.of(threads.load(thread))
        .filter(ThreadState::exists)
        .map(ThreadState::sessionId);
  }

  /// The session of the thread, which is the given one if the thread is new.
  public String begin(In in) {
    return threads.execute(in.thread(), new ThreadChange.Begin(in.sessionId())).state().sessionId();
  }

  /// Gives `joining` its place, and takes the `ended` runs and those ended in front out. After each
  /// write the first run is checked once more: a run that ends in the meantime either sees the
  /// write or is seen here.
  public ThreadState settle(In in, @Nullable QueuedTurn joining, Set<String> ended) {
    Set<String> gone = new HashSet<>(ended);
    for (int i = 0; i < ROUNDS_MAX; i++) {
      ThreadState state = threads.load(in.thread());
      List<QueuedTurn> before = state.exists() ? List.of() : before(in, joining != null);
      List<QueuedTurn> order = new ArrayList<>(state.exists() ? state.turns() : before);
      if (joining != null) {
        gone.addAll(late(in, order, joining));
        order.add(joining);
      }
      gone.addAll(overInFront(in, order, gone, state.exists()));
      ThreadChange command =
          new ThreadChange.Settle(in.sessionId(), state.sequence(), before, joining, gone);
      ThreadLog.Outcome outcome = threads.execute(in.thread(), state, command);
      if (outcome.decision() instanceof ThreadDecision.Stay) {
        return outcome.state();
      }
    }
    throw new IllegalStateException("no place in thread " + in.thread().id());
  }

  /// Takes the only place of the thread for a run that is not there yet, and is to be kept from now
  /// on, also if the run has had it before. False if the thread has another turn. A place that was
  /// over when it was looked at may be taken again by the time of the write, so what changes in
  /// between is looked at once more.
  public boolean take(In in, QueuedTurn turn) {
    for (int i = 0; i < ROUNDS_MAX; i++) {
      ThreadState state = threads.load(in.thread());
      List<QueuedTurn> before = state.exists() ? List.of() : before(in, true);
      List<QueuedTurn> order = state.exists() ? state.turns() : before;
      Set<String> gone = overInFront(in, order, Set.of(turn.runId()), state.exists());
      ThreadChange command =
          new ThreadChange.Take(
              in.sessionId(), state.sequence(), before, turn.taken(clock.instant()), gone);
      ThreadDecision decision = threads.execute(in.thread(), state, command).decision();
      if (!(decision instanceof ThreadDecision.Stale)) {
        return !(decision instanceof ThreadDecision.Busy);
      }
    }
    throw new IllegalStateException("no place in thread " + in.thread().id());
  }

  /// What the thread goes on from, by its state.
  ThreadOrigin base(In in, ThreadState state) {
    return threads.base(in.thread(), state);
  }

  /// Has the thread go on from what one of its turns left, unless its state is no longer that.
  ThreadLog.Outcome goOn(In in, ThreadState state, ThreadOrigin from, GoOnFrom.Wish wish) {
    return threads.execute(
        in.thread(),
        threads.load(in.thread()),
        new ThreadChange.GoOn(
            in.sessionId(), state.sequence(), from, wish.how() == GoOnFrom.How.BACK, wish.by()));
  }

  /// Makes the run that waits the next one.
  public ThreadLog.Outcome promote(In in, String runId, Requester by) {
    return threads.execute(in.thread(), opened(in), new ThreadChange.Promote(runId, by));
  }

  /// Takes runs that will not begin out of the order.
  public ThreadLog.Outcome withdraw(In in, Set<String> runIds, QueueChange change, Requester by) {
    return threads.execute(in.thread(), opened(in), new ThreadChange.Withdraw(runIds, change, by));
  }

  private ThreadState opened(In in) {
    ThreadState state = threads.load(in.thread());
    return state.exists() ? state : settle(in, null, Set.of());
  }

  /// The run that joins, if it has been in the order before and is not to come again: who is late
  /// to send it finds it over.
  private Set<String> late(In in, List<QueuedTurn> order, QueuedTurn joining) {
    boolean there = order.stream().anyMatch(turn -> turn.runId().equals(joining.runId()));
    if (there || order.isEmpty()) {
      return Set.of();
    }
    return switch (runs.load(new RunKey(in.thread().tenant(), joining.runId()))) {
      case RunState.Closed _, RunState.CancellingIdle _ -> Set.of(joining.runId());
      case RunState.Absent _, RunState.Open _ -> Set.of();
    };
  }

  /// The runs that are over in front of the first that is not.
  ///
  /// @param taken whether each has taken its place, and is not only supposed to have been there
  private Set<String> overInFront(In in, List<QueuedTurn> order, Set<String> known, boolean taken) {
    Set<String> over = new HashSet<>();
    for (QueuedTurn turn : order) {
      if (!known.contains(turn.runId()) && !over(in.thread(), turn, taken)) {
        break;
      }
      over.add(turn.runId());
    }
    return over;
  }

  private boolean over(ThreadKey thread, QueuedTurn turn, boolean taken) {
    RunKey run = new RunKey(thread.tenant(), turn.runId());
    return switch (runs.load(run)) {
      case RunState.Absent _ -> !taken || !isKept(turn, run);
      case RunState.Closed _ -> true;
      case RunState.Open open -> !open.facts().request().threadId().equals(thread.id());
    };
  }

  /// True while the run, which is not there, may still be written. A place that an earlier release
  /// took, or that came after its run, does not say when; it did so soon after the run was named.
  private boolean isKept(QueuedTurn turn, RunKey run) {
    Instant since = turn.takenAt() == null ? run.madeAt() : turn.takenAt();
    return !since.plusSeconds(PLACE_SECONDS).isBefore(clock.instant());
  }

  /// The order from before the thread had a log. A run that begins a session is first in it once
  /// another one joins.
  private List<QueuedTurn> before(In in, boolean joined) {
    String session = in.sessionId();
    if (!in.thread().id().equals(TurnIds.threadOf(session))) {
      return List.of();
    }
    boolean named = RunKey.isRunId(session);
    List<QueuedTurn> begun = named && joined ? List.of(plain(session)) : List.of();
    if (named && new RunKey(in.thread().tenant(), session).madeAt().isAfter(began)) {
      return begun;
    }
    SessionQueue.Turns order = earlier.read(in.thread().tenant(), session);
    return order.version() == 0 ? begun : order.runs().stream().map(ThreadTurns::plain).toList();
  }

  private static QueuedTurn plain(String runId) {
    return new QueuedTurn(TurnIds.turnOf(runId), runId);
  }
}
