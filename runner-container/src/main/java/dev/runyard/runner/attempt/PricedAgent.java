package dev.runyard.runner.attempt;

import dev.runyard.core.agent.Prices;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import java.util.List;
import java.util.concurrent.Future;

/// An agent whose usage is priced by the operator. The cost that the agent itself reports is
/// ignored: one CLI reports it with each call, another at the end, and many not at all.
record PricedAgent(AgentHandle agent, Prices prices) implements AgentHandle {

  static AgentHandle of(AgentHandle agent, Prices prices) {
    return prices.equals(Prices.NONE) ? agent : new PricedAgent(agent, prices);
  }

  @Override
  public List<AgentSignal> take(int max) {
    return agent.take(max).stream().map(this::priced).toList();
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

  private AgentSignal priced(AgentSignal signal) {
    return signal instanceof AgentSignal.Output(RunEvent.CostRecorded cost)
        ? new AgentSignal.Output(
            new RunEvent.CostRecorded(
                prices.priced(cost.usage(), cost.model()),
                cost.model(),
                cost.call(),
                cost.subagentId()))
        : signal;
  }
}
