package dev.runyard.simulator;

import dev.runyard.core.attempt.AgentHandle.Pausable;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import java.util.Optional;
import java.util.concurrent.Future;

/// What a scripted agent has around it at its runner.
interface AgentSite {
  AgentMode mode();

  AgentFiles files();

  /// What the agent's session is told first.
  Optional<RunEvent> warning();

  /// Keeps an output that no event has room for; done with the event that tells of it.
  Future<RunEvent> spill(int index);

  /// Whether another attempt can go on where the agent stands.
  Future<Pausable> canPause();

  /// Keeps what another attempt needs, once the agent has ended; done with why that failed.
  Future<Optional<Failure>> keepFiles();
}
