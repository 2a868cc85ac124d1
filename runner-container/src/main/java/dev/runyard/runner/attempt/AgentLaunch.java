package dev.runyard.runner.attempt;

import dev.runyard.core.agent.Prices;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.gateway.AttemptEndpoint;
import java.util.List;
import java.util.Optional;

/// An agent that is ready to start.
///
/// @param warnings written first
record AgentLaunch(
    AgentRunRequest request, BackendContext context, List<RunEvent> warnings, Metering metering) {
  /// How the agent's use of models is measured.
  ///
  /// @param prices what it costs
  /// @param models its endpoint of the model gateway; empty if it reports its use itself
  /// @param replayed whether an attempt that continues counts what the agent reported
  record Metering(Prices prices, Optional<AttemptEndpoint> models, boolean replayed) {
    AgentHandle of(AgentRun agent, EventShaper shaper) {
      return models
          .<AgentHandle>map(endpoint -> new MeteredAgent(agent, endpoint, prices, replayed, shaper))
          .orElseGet(() -> PricedAgent.of(agent, prices));
    }
  }

  /// Starts the agent. If it must not be started, the run ends at once with the reason.
  AgentRun start(AgentGateway gateway) {
    context.shaper().first(warnings);
    return switch (gateway.run(request, context)) {
      case AgentGateway.Result.Started(AgentRun run) -> run;
      case AgentGateway.Result.Refused(Problem problem) -> AgentRun.failed(refused(problem));
    };
  }

  /// The failure of an agent that must not be started.
  static Failure refused(Problem problem) {
    return new Failure(problem.code().code(), Category.CALLER, problem.detail());
  }
}
