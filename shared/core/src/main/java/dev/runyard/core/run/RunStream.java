package dev.runyard.core.run;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Runs as a kind of stream.
public record RunStream(RunDecider rules)
    implements StreamType<RunState, RunCommand, Decision, StoredEvent> {
  @Override
  public StreamCodec<StoredEvent> codec() {
    return EventCodec.RUNS;
  }

  @Override
  public RunState absent() {
    return RunState.absent();
  }

  @Override
  public RunState evolve(RunState state, StoredEvent event) {
    return RunFold.evolve(state, event);
  }

  @Override
  public RunState chained(RunState state, Chain chain) {
    return RunFold.chained(state, chain);
  }

  @Override
  public Decision decide(RunState state, RunCommand command) {
    return rules.decide(state, command);
  }

  @Override
  public List<StoredEvent> events(
      StreamKey key, RunState state, RunCommand command, Decision decision, Instant now) {
    return switch (decision) {
      case Decision.Append append -> {
        RunKey run = RunKey.of(key);
        yield stored(run, state, command, append.events(), times(state, command, now));
      }
      case Decision.Stay _, Decision.Defer _, Decision.Refuse _ -> List.of();
    };
  }

  private static List<StoredEvent> stored(
      RunKey run,
      RunState state,
      RunCommand command,
      List<RunEvent> events,
      IntFunction<Instant> times) {
    List<StoredEvent> stored = new ArrayList<>(events.size());
    TurnIds turn = turn(run, state, command);
    Requester by = by(command);
    String attemptId = attemptId(state);
    long sequence = state.sequence();
    for (int i = 0; i < events.size(); i++) {
      RunEvent event = events.get(i);
      if (event instanceof RunEvent.AttemptStarted started) {
        attemptId = started.attemptId();
      }
      stored.add(new StoredEvent(run, turn, attemptId, ++sequence, times.apply(i), event, by));
    }
    return stored;
  }

  /// What a runner reports happened before it is written; all else happens by being written. An
  /// event is not shown as older than what others wrote before it, unless it is written by a clock
  /// that is behind theirs.
  private static IntFunction<Instant> times(RunState state, RunCommand command, Instant now) {
    if (!(command instanceof RunCommand.Report report) || report.times().isEmpty()) {
      return _ -> now;
    }
    Instant before = state instanceof RunState.Existing run ? run.facts().at() : now;
    Instant earliest = before.isBefore(now) ? before : now;
    return i -> {
      Instant happened = report.times().get(i).truncatedTo(ChronoUnit.MILLIS);
      return happened.isBefore(earliest) ? earliest : happened;
    };
  }

  private static TurnIds turn(RunKey run, RunState state, RunCommand command) {
    return switch (state) {
      case RunState.Existing existing -> existing.facts().request().turnOf(run);
      case RunState.Absent _ ->
          command instanceof RunCommand.Submit submit
              ? submit.request().turnOf(run)
              : TurnIds.of(run, run.runId());
    };
  }

  /// Who caused what follows from the command; null if that is Runyard itself.
  private static @Nullable Requester by(RunCommand command) {
    return switch (command) {
      case RunCommand.Submit submit -> submit.by();
      case RunCommand.Message message -> message.by();
      case RunCommand.Cancel cancel -> cancel.by();
      case RunCommand.PutAside aside -> aside.by();
      case RunCommand.GoOn on -> on.by();
      case RunCommand.Resolve resolve ->
          resolve.decision() == ActionDecision.TIMED_OUT ? null : resolve.by();
      case RunCommand.Claim _,
          RunCommand.Report _,
          RunCommand.Advance _,
          RunCommand.Undelivered _,
          RunCommand.Turn _,
          RunCommand.Block _ ->
          null;
    };
  }

  private static @Nullable String attemptId(RunState state) {
    return state instanceof RunState.Claimed run ? run.attempt().id() : null;
  }
}
