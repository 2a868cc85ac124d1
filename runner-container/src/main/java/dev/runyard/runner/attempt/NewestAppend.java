package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.AgentRun;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The newest append to a run that its attempt was told of. It ends the attempt's wait for its
/// agent. Thread-safe.
final class NewestAppend {
  private final AtomicLong sequence = new AtomicLong();
  private volatile @Nullable AgentRun agent;

  /// Its last sequence; 0 before the first.
  long sequence() {
    return sequence.get();
  }

  void appended(long last) {
    sequence.accumulateAndGet(last, Math::max);
    AgentRun waiting = agent;
    if (waiting != null) {
      waiting.wake();
    }
  }

  /// From now on the attempt waits for this agent.
  void agent(AgentRun running) {
    agent = running;
  }
}
