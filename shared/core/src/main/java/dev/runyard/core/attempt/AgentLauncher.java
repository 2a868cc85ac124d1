package dev.runyard.core.attempt;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.util.Optional;

/// Starts the agent of one attempt, and takes care of what it leaves behind.
public interface AgentLauncher {
  /// Begins to prepare what the agent of this attempt will need, without waiting for it. A
  /// continuation continues where the attempt before it stopped, as described in
  /// [dev.runyard.core.interaction.Interactions], which `facts` contain.
  AgentStart prepare(RunFacts facts, Attempt attempt);

  /// Begins to store the ended agent's session files, before the log says that it has ended:
  /// whoever sees the end then finds them. Empty if there is nothing to store.
  ///
  /// @param completed whether the agent did what it should: only then its change is published
  Optional<Keeping> keep(boolean completed);

  /// Ends what is left on this machine of an attempt whose runner died. The attempt is fenced, so
  /// its agent's work is useless.
  void endLost(RunKey run, String attemptId);
}
