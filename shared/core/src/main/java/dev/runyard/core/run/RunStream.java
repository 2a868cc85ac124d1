package dev.runyard.core.run;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  public Decision decide(RunState state, RunCommand command) {
    return rules.decide(state, command);
  }

  @Override
  public List<StoredEvent> events(
      StreamKey key, RunState state, RunCommand command, Decision decision, Instant now) {
    return switch (decision) {
      case Decision.Append append -> {
        RunKey run = RunKey.of(key);
        yield stored(run, session(run, state, command), state, append.events(), now);
      }
      case Decision.Stay _, Decision.Defer _, Decision.Refuse _ -> List.of();
    };
  }

  private static List<StoredEvent> stored(
      RunKey run, String session, RunState state, List<RunEvent> events, Instant now) {
    List<StoredEvent> stored = new ArrayList<>(events.size());
    String attemptId = attemptId(state);
    long sequence = state.sequence();
    for (RunEvent event : events) {
      if (event instanceof RunEvent.AttemptStarted started) {
        attemptId = started.attemptId();
      }
      stored.add(new StoredEvent(run, session, attemptId, ++sequence, now, event));
    }
    return stored;
  }

  private static String session(RunKey run, RunState state, RunCommand command) {
    return switch (state) {
      case RunState.Existing existing -> existing.facts().request().sessionId();
      case RunState.Absent _ ->
          command instanceof RunCommand.Submit submit ? submit.request().sessionId() : run.runId();
    };
  }

  private static @Nullable String attemptId(RunState state) {
    return state instanceof RunState.Claimed run ? run.attempt().id() : null;
  }
}
