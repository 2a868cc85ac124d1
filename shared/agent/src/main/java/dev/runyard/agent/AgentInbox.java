package dev.runyard.agent;

import java.util.List;
import java.util.Optional;

/// The messages sent to one execution of an agent, each handed out once, in the order they were
/// accepted. Iterating waits for each message and stops where [#pop] is empty.
public interface AgentInbox extends Iterable<InjectedMessage> {
  /// The next message, waiting for it; empty once the run ends or the session is aborted.
  Optional<InjectedMessage> pop() throws InterruptedException;

  /// All messages that are there, without waiting. Which ones these are depends on the moment, so
  /// an agent whose behaviour depends on it cannot be moved; such an agent should use [#pop].
  List<InjectedMessage> drain();
}
