package dev.runyard.agent;

import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.message.Message;
import java.util.List;

/// An agent written in Java. It is found with `ServiceLoader`, made once by its public constructor
/// without parameters, and executed once for every run, several runs at a time.
///
/// A run may be moved to another runner while it waits. The agent is then executed again from its
/// beginning, with the same messages and answers in the same order, and what it tells again is left
/// out. So its course may depend on what it is given and on nothing else: not on a clock, on
/// chance, or on the order in which threads of its own get on.
public interface AgentDefinition {
  /// The kind a request names: `^[a-z][a-z0-9_]*$`, at most 64 bytes.
  String name();

  /// For people who choose an agent.
  default String description() {
    return "A Java agent.";
  }

  /// The content it takes and gives.
  default AgentCard card() {
    return AgentCard.ANYTHING;
  }

  /// True when the agent emits `agent:start` and `agent:complete` itself; else they are emitted for
  /// it.
  default boolean emitsStartComplete() {
    return false;
  }

  /// Does the work. The messages it returns are told after what it emitted. An exception fails the
  /// run; [AgentFailure] says why to the caller.
  List<Message> execute(AgentRequest request, AgentContext context) throws Exception;
}
