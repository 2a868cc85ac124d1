package dev.runyard.agent.hub;

/// Ends a subscription; ending it again does nothing.
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
