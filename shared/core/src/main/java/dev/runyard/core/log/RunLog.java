package dev.runyard.core.log;

import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The one way to change a run: fold, decide, append behind the head, and on a collision fold the
/// tail and decide again. There is no other lock.
public final class RunLog {
  /// Collisions one command may meet. Each one means that somebody else made progress.
  public static final int COLLISIONS_MAX = 50;

  /// A chunk that reaches another multiple of this carries the run's state even if it does not
  /// change it, so that the functions hear of a run that only talks, and its snapshot follows.
  public static final int SNAPSHOT_EVENTS = 5_000;

  /// Events one load folds, give or take one read. What is farther behind its snapshot is kept as
  /// far as it came, and the next load goes on there.
  public static final int LOAD_EVENTS_MAX = 10 * SNAPSHOT_EVENTS;

  private final EventLog log;
  private final Snapshots snapshots;
  private final RunDecider decider;
  private final InstantSource clock;
  private final Ids ids;
  private final String writer;

  public RunLog(
      EventLog log,
      Snapshots snapshots,
      RunDecider decider,
      InstantSource clock,
      Ids ids,
      String writer) {
    this.log = log;
    this.snapshots = snapshots;
    this.decider = decider;
    this.clock = clock;
    this.ids = ids;
    this.writer = writer;
  }

  /// The run as it stands now: never less than any acknowledged append.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer, or when the run
  ///   is so far ahead of its snapshot that another load must go on
  public RunState load(RunKey run) {
    RunState from = snapshots.latest(run);
    RunState at = from;
    for (Tail tail = tail(run, from); ; tail = tail(run, at)) {
      at = tail.state();
      long folded = at.sequence() - from.sequence();
      boolean kept =
          folded > 2L * SNAPSHOT_EVENTS
              && (!tail.more() || folded > LOAD_EVENTS_MAX)
              && at instanceof RunState.Existing there
              && snapshots.keep(there);
      if (!tail.more()) {
        return at;
      }
      if (kept) {
        throw new PortUnavailable("the run is longer than one call reads; the next one goes on");
      }
    }
  }

  /// `state` and everything appended since.
  public RunState catchUp(RunKey run, RunState state) {
    Tail tail = tail(run, state);
    while (tail.more()) {
      tail = tail(run, tail.state());
    }
    return tail.state();
  }

  private Tail tail(RunKey run, RunState from) {
    List<Chunk> chunks = from.closed() ? List.of() : log.chunksAfter(run, from.sequence());
    RunState at = from;
    for (Chunk chunk : chunks) {
      at = RunFold.fold(at, chunk.events());
    }
    return new Tail(at, chunks.size() == EventLog.READ_CHUNKS_MAX);
  }

  /// Whether something follows `state`; what was just appended may be seen a moment later.
  public boolean hasNews(RunKey run, RunState state) {
    return log.hasNews(run, state.sequence());
  }

  public Outcome execute(RunKey run, RunCommand command) {
    return execute(run, load(run), command);
  }

  /// Carries out `command` on the run, known to stand at `from` or later.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer; the command may
  ///   have been carried out, and executing it again is safe
  public Outcome execute(RunKey run, RunState from, RunCommand command) {
    RunState state = from;
    for (int i = 0; i < COLLISIONS_MAX; i++) {
      switch (decider.decide(state, command)) {
        case Decision.Stay _ -> {
          return new Outcome.Unchanged(state);
        }
        case Decision.Defer defer -> {
          return new Outcome.Deferred(state, defer.beat());
        }
        case Decision.Refuse refuse -> {
          return new Outcome.Refused(state, refuse.reason());
        }
        case Decision.Append append -> {
          Chunk chunk = chunk(run, state, session(run, state, command), append.events());
          switch (log.append(chunk)) {
            case AppendResult.Appended _ -> {
              return new Outcome.Done(RunFold.fold(state, chunk.events()), chunk.events());
            }
            case AppendResult.Collision _ -> state = catchUp(run, state);
          }
        }
      }
    }
    throw new IllegalStateException("no room behind the head of " + run.partition());
  }

  public Decision decide(RunState state, RunCommand command) {
    return decider.decide(state, command);
  }

  /// The chunk that writes `events` behind the head `state` stands at.
  public Chunk chunk(RunKey run, RunState.Existing state, List<RunEvent> events) {
    return chunk(run, state, state.facts().request().sessionId(), events);
  }

  public AppendResult append(Chunk chunk) {
    return log.append(chunk);
  }

  private Chunk chunk(RunKey run, RunState state, String session, List<RunEvent> events) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    List<StoredEvent> stored = new ArrayList<>(events.size());
    long sequence = state.sequence();
    String attemptId = attemptId(state);
    boolean moves = false;
    for (RunEvent event : events) {
      if (event instanceof RunEvent.AttemptStarted started) {
        attemptId = started.attemptId();
      }
      moves |= EventTypes.changesState(event);
      stored.add(new StoredEvent(run, session, attemptId, ++sequence, now, event));
    }
    Optional<String> mark = Optional.empty();
    boolean closed = false;
    moves |= state.sequence() / SNAPSHOT_EVENTS < sequence / SNAPSHOT_EVENTS;
    if (moves) {
      RunState after = RunFold.fold(state, stored);
      closed = after.closed();
      mark =
          after instanceof RunState.Existing existing
              ? Optional.of(existing.phase())
              : Optional.empty();
    }
    return new Chunk(run, ids.token(), writer, stored, mark, closed);
  }

  private static String session(RunKey run, RunState state, RunCommand command) {
    return switch (state) {
      case RunState.Existing existing -> existing.facts().request().sessionId();
      case RunState.Absent _ ->
          command instanceof RunCommand.Submit submit ? submit.request().sessionId() : run.runId();
    };
  }

  private static @Nullable String attemptId(RunState state) {
    Attempt attempt =
        switch (state) {
          case RunState.InProgress run -> run.attempt();
          case RunState.Awaiting run -> run.attempt();
          case RunState.Cancelling run -> run.attempt();
          case RunState.Absent _,
              RunState.Created _,
              RunState.Retrying _,
              RunState.Paused _,
              RunState.CancellingIdle _,
              RunState.Closed _ ->
              null;
        };
    return attempt == null ? null : attempt.id();
  }

  /// A state after one read of the log, and whether there may be more.
  private record Tail(RunState state, boolean more) {}

  /// What became of a command, and where the run stands after it.
  public sealed interface Outcome {
    RunState state();

    record Done(RunState state, List<StoredEvent> appended) implements Outcome {}

    record Unchanged(RunState state) implements Outcome {}

    /// Not now; `beat` as [Decision.Defer] has it.
    record Deferred(RunState state, long beat) implements Outcome {}

    record Refused(RunState state, Decision.Reason reason) implements Outcome {}
  }
}
