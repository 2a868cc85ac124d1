package dev.runyard.core.attempt;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.util.Optional;

/// Starts the agent of one attempt, and sees to what it leaves.
public interface AgentLauncher {
  /// Begins to get ready what the agent of this attempt will need, and does not wait for it. An
  /// attempt that is a continuation goes on where the one before it stood, by the rule of
  /// [dev.runyard.core.interaction.Interactions]; `facts` hold them.
  AgentStart prepare(RunFacts facts, Attempt attempt);

  /// Begins to keep what the ended agent remembers of its session, before the log says that it has
  /// ended: whoever sees the end finds it. Empty where there is nothing to keep.
  Optional<Keeping> keep();

  /// Ends what is left on this machine of an attempt whose runner died. It is fenced, so its agent
  /// works for nobody any more.
  void endLost(RunKey run, String attemptId);
}
