package dev.runyard.runner.attempt;

import dev.runyard.core.agent.Prices;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.gateway.AttemptEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/// An agent whose calls of models pass the model gateway: what they used is what the gateway saw.
/// What the agent itself says of it is left out, or it would count twice; except for the cost,
/// which the gateway does not know without prices. An agent chooses the names of models that it
/// calls, so what the gateway says has its secrets cut out too.
///
/// @param replayed whether an attempt that continues counts what the agent reported
record MeteredAgent(
    AgentHandle agent, AttemptEndpoint models, Prices prices, boolean replayed, EventShaper shaper)
    implements AgentHandle {

  @Override
  public List<AgentSignal> take(int max) {
    List<AgentSignal> taken = new ArrayList<>();
    called(max, taken);
    for (AgentSignal signal : agent.take(Math.max(0, max - taken.size()))) {
      switch (signal) {
        case AgentSignal.Output(RunEvent.CostRecorded cost) -> uncounted(cost, taken);
        case AgentSignal.Ended ended -> {
          models.close();
          called(Integer.MAX_VALUE, taken);
          taken.add(ended);
        }
        case AgentSignal.Output _, AgentSignal.Asked _, AgentSignal.Took _ -> taken.add(signal);
      }
    }
    return taken;
  }

  @Override
  public void deliver(AgentInput input) {
    agent.deliver(input);
  }

  @Override
  public Future<Pausable> canPause() {
    return agent.canPause();
  }

  @Override
  public void pause() {
    agent.pause();
  }

  @Override
  public void stop(Stop how) {
    agent.stop(how);
  }

  private void called(int max, List<AgentSignal> taken) {
    models.take(max).stream()
        .flatMap(event -> shaper.beside(event).stream())
        .map(AgentSignal.Output::new)
        .forEach(taken::add);
  }

  private void uncounted(RunEvent.CostRecorded cost, List<AgentSignal> taken) {
    Usage kept = Usage.NONE.at(prices.equals(Prices.NONE) ? cost.usage().costUsd() : null);
    if (replayed || !kept.equals(Usage.NONE)) {
      taken.add(
          new AgentSignal.Output(
              new RunEvent.CostRecorded(kept, cost.model(), null, cost.subagentId())));
    }
  }
}
