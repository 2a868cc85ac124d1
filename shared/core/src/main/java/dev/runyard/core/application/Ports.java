package dev.runyard.core.application;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.session.SessionTurns;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.view.ReadModels;

/// The ports a process reaches. Each is asked for only by a use case that needs it, so a process
/// need not have them all.
public interface Ports {
  EventLog events();

  ReadModels models();

  SessionTurns turns();

  IdempotencyStore keys();

  /// Runs that wait for a runner.
  RunQueue queue();

  /// Runs whose message no runner could finish.
  RunQueue deadLetters();

  /// Runs whose stream record could not be handled.
  RunQueue parked();

  RunnerFleet fleet();

  /// Places of the runners.
  Slots slots();
}
