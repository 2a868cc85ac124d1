package dev.runyard.core.attempt;

import java.util.List;

/// A started agent as its attempt sees it. What is not taken stays where it is: the agent's pipe
/// fills and the agent waits.
public interface AgentHandle {
  /// The next signals, at most `max`, without waiting.
  List<AgentSignal> take(int max);

  /// Ends the agent's process tree: politely, then by force. Returns at once; [AgentSignal.Ended]
  /// follows.
  void stop();
}
