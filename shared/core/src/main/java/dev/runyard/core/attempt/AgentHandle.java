package dev.runyard.core.attempt;

import dev.runyard.core.interaction.AgentInput;
import java.util.List;

/// A started agent as its attempt sees it. What is not taken stays where it is: the agent's pipe
/// fills and the agent waits.
public interface AgentHandle {
  /// The next signals, at most `max`, without waiting.
  List<AgentSignal> take(int max);

  /// Puts an input where the agent will find it, without waiting. Each input of the run comes once
  /// to an attempt, in the order of the log. The agent says [AgentSignal.Took] when it takes or
  /// refuses it, before it tells anything that follows from it; until then the input counts as not
  /// delivered, and the run's next attempt gets it again.
  void deliver(AgentInput input);

  /// True when another attempt can go on where this one stands while it waits for a person: by
  /// replay, or because the agent's session and files can be kept. Else it holds its place at the
  /// runner. It may look at files and at a store, so it is asked only when an answer is needed.
  boolean canPause();

  /// Ends the agent like [#stop], and keeps what another attempt needs to go on. Where that fails
  /// after all it ends with the failure [dev.runyard.core.problem.Failure#WORKSPACE_NOT_KEPT], and
  /// the attempt has failed.
  void pause();

  /// Ends the agent's process tree: politely, then by force. Returns at once; [AgentSignal.Ended]
  /// follows.
  void stop();
}
