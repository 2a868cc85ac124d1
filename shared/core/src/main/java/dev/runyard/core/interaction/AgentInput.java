package dev.runyard.core.interaction;

/// An input for an agent, from its run's log.
public sealed interface AgentInput {
  /// Its place in the log; inputs are handed over in this order.
  long sequence();

  /// A client's message.
  record Said(InboxMessage message) implements AgentInput {
    @Override
    public long sequence() {
      return message.sequence();
    }
  }

  /// An action that was decided, with the first decision.
  record Decided(Action action) implements AgentInput {
    @Override
    public long sequence() {
      Action.Resolution resolution = action.resolution();
      return resolution == null ? Long.MAX_VALUE : resolution.sequence();
    }
  }
}
