package dev.runyard.agent;

import java.util.List;
import java.util.Optional;

/// The messages sent to one execution of an agent, each handed out once, in the order they were
/// accepted. Iterating waits for each message and stops where [#pop] is empty.
public interface AgentInbox extends Iterable<InjectedMessage> {
  /// The next message, waiting for it; empty once the run ends or the session is aborted.
  Optional<InjectedMessage> pop() throws InterruptedException;

  /// Everything that is there, without waiting. What is there depends on the moment, so an agent
  /// whose course follows from it cannot be moved; such an agent pops instead.
  List<InjectedMessage> drain();
}
