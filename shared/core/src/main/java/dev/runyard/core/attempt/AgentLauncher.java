package dev.runyard.core.attempt;

import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;

/// Starts agents. An agent that cannot be started is a handle that ends at once with the failure.
public interface AgentLauncher {
  /// The program or class that will run, for people.
  String program(RunFacts facts);

  AgentHandle launch(RunFacts facts, Attempt attempt);
}
