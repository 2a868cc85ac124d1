package dev.runyard.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.problem.Failure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/// An agent that was not started after all.
final class RefusedAgent implements AgentHandle {
  private final Failure failure;
  private boolean told;

  RefusedAgent(Failure failure) {
    this.failure = failure;
  }

  @Override
  public List<AgentSignal> take(int max) {
    if (told) {
      return List.of();
    }
    told = true;
    return List.of(new AgentSignal.Ended(Optional.empty(), 0, Optional.of(failure), 0));
  }

  @Override
  public void deliver(AgentInput input) {}

  @Override
  public Future<Pausable> canPause() {
    return CompletableFuture.completedFuture(Pausable.NO);
  }

  @Override
  public void pause() {}

  @Override
  public void stop(Stop how) {}
}
