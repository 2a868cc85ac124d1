package dev.runyard.core.interaction;

/// What a run's log holds for its agent to take.
public sealed interface AgentInput {
  /// Where it stands in the log; inputs are handed over in this order.
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
