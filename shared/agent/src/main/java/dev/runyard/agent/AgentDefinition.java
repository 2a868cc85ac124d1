package dev.runyard.agent;

import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.message.Message;
import java.util.List;

/// An agent written in Java. It is found with `ServiceLoader`, created once by its public
/// constructor without parameters, and executed once for every run, several runs at a time.
///
/// A run may be moved to another runner while it waits. The agent is then executed again from its
/// beginning, with the same messages and answers in the same order, and output that it repeats is
/// left out. So its behaviour may depend on its input and on nothing else: not on a clock, on
/// randomness, or on the order in which its own threads run.
public interface AgentDefinition {
  /// The kind a request names: `^[a-z][a-z0-9_]*$`, at most 64 bytes.
  String name();

  /// For people who choose an agent.
  default String description() {
    return "A Java agent.";
  }

  /// The content types it accepts and produces.
  default AgentCard card() {
    return AgentCard.ANYTHING;
  }

  /// True when the agent emits `agent:start` and `agent:complete` itself; otherwise they are
  /// emitted for it.
  default boolean emitsStartComplete() {
    return false;
  }

  /// Does the work. The messages it returns come after what it emitted. An exception fails the run;
  /// [AgentFailure] tells the caller why.
  List<Message> execute(AgentRequest request, AgentContext context) throws Exception;
}
