package dev.runyard.testkit.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentStart;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// A start that needs nothing to be got ready.
record ReadyStart(String program, boolean interactive, Supplier<? extends AgentHandle> starting)
    implements AgentStart {
  @Override
  public Future<?> ready() {
    return CompletableFuture.completedFuture(program);
  }

  @Override
  public Future<?> take() {
    return CompletableFuture.completedFuture(program);
  }

  @Override
  public AgentHandle launch() {
    return starting.get();
  }
}
