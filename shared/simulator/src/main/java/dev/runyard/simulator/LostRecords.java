package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunState;
import java.util.HashSet;
import java.util.Set;

/// Changes of which a stream function will not hear any more, by their streams: `sweep` finds a run
/// when it is due, and what lists show of a task may be old until its next change.
final class LostRecords {
  private final Set<StreamKey> streams = new HashSet<>();

  void add(StreamKey stream) {
    streams.add(stream);
  }

  boolean any() {
    return !streams.isEmpty();
  }

  boolean has(StreamKey stream) {
    return streams.contains(stream);
  }

  /// True when the read models of their runs show the end.
  boolean caughtUp(ReadModels models) {
    return streams.stream()
        .filter(RunKey.class::isInstance)
        .map(RunKey::of)
        .allMatch(run -> models.snapshot(run).filter(RunState.Existing::closed).isPresent());
  }

  /// What an operator does about them once their cause is gone, as the runbook of that alarm says:
  /// `sweep` gets their runs. Those that are open need nobody.
  void handled(SimulatedLog log, RunQueue streamFailures) {
    streams.stream()
        .filter(RunKey.class::isInstance)
        .map(RunKey::of)
        .filter(run -> log.last(run).closed())
        .forEach(run -> streamFailures.send(QueueMessage.of(run), 0));
  }
}
