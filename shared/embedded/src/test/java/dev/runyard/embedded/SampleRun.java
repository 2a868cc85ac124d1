package dev.runyard.embedded;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs and their chunks to test with.
final class SampleRun {
  private SampleRun() {}

  /// A run whose id sorts by its number.
  static RunKey key(int number) {
    return new RunKey("acme", "019c0000-0000-7000-8000-%012x".formatted(number));
  }

  /// A chunk of output: one event.
  static Chunk output(RunKey run, long at, String text) {
    return chunk(run, at, text, Optional.empty(), false);
  }

  /// A chunk that changes the state.
  static Chunk state(RunKey run, long at, String state, boolean closed) {
    return chunk(run, at, state, Optional.of(state), closed);
  }

  private static Chunk chunk(
      RunKey run, long at, String text, Optional<String> state, boolean closed) {
    StoredEvent event =
        new StoredEvent(run, "session-1", null, at, StoreRig.START, new RunEvent.ModelDelta(text));
    return new Chunk(
        run,
        "%s-%d-%s".formatted(run.runId(), at, text),
        "test",
        ChunkBody.of(EventCodec.RUNS, List.of(event)),
        state,
        closed);
  }

  /// A run that was accepted.
  static RunState.Existing created(RunKey run, String session) {
    return then(
        RunState.absent(),
        run,
        session,
        new RunEvent.TaskCreated(
            "echo",
            Map.of(),
            List.of(),
            null,
            600,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER,
            RunBounds.NONE,
            null,
            null,
            null,
            null,
            null),
        new RunEvent.TurnSubmitted("say hello"),
        new RunEvent.TaskQueued(1, 0, 0));
  }

  /// The same run, cancelled.
  static RunState.Existing cancelled(RunKey run, String session) {
    return then(
        created(run, session),
        run,
        session,
        new RunEvent.CancelRequested("enough"),
        new RunEvent.TaskCancelled("enough"));
  }

  private static RunState.Existing then(
      RunState from, RunKey run, String session, RunEvent... events) {
    RunState state = from;
    for (RunEvent event : events) {
      state =
          RunFold.evolve(
              state,
              new StoredEvent(run, session, null, state.sequence() + 1, StoreRig.START, event));
    }
    return (RunState.Existing) state;
  }
}
