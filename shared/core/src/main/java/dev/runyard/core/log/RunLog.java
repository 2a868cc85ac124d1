package dev.runyard.core.log;

import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunKey;
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
  public RunState load(RunKey run) {
    return catchUp(run, snapshots.latest(run));
  }

  /// `state` and everything appended since.
  public RunState catchUp(RunKey run, RunState state) {
    RunState at = state;
    List<Chunk> chunks;
    do {
      chunks = at.closed() ? List.of() : log.chunksAfter(run, at.sequence());
      for (Chunk chunk : chunks) {
        at = RunFold.fold(at, chunk.events());
      }
    } while (chunks.size() == EventLog.READ_CHUNKS_MAX);
    return at;
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
        case Decision.Defer _ -> {
          return new Outcome.Deferred(state);
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
              RunState.Parked _,
              RunState.CancellingIdle _,
              RunState.Closed _ ->
              null;
        };
    return attempt == null ? null : attempt.id();
  }

  /// What became of a command, and where the run stands after it.
  public sealed interface Outcome {
    RunState state();

    record Done(RunState state, List<StoredEvent> appended) implements Outcome {}

    record Unchanged(RunState state) implements Outcome {}

    record Deferred(RunState state) implements Outcome {}

    record Refused(RunState state, Decision.Reason reason) implements Outcome {}
  }
}
