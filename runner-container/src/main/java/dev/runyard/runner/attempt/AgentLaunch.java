package dev.runyard.runner.attempt;

import dev.runyard.core.agent.Prices;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import java.util.Optional;

/// An agent that is ready to start.
///
/// @param warning written first
/// @param prices what its use of models costs
record AgentLaunch(
    AgentRunRequest request, BackendContext context, Optional<RunEvent> warning, Prices prices) {
  /// Starts the agent. If it must not be started, the run ends at once with the reason.
  AgentRun start(AgentGateway gateway) {
    return switch (gateway.run(request, context)) {
      case AgentGateway.Result.Started(AgentRun run) -> {
        warning.ifPresent(event -> tell(run, event));
        yield run;
      }
      case AgentGateway.Result.Refused(Problem problem) ->
          AgentRun.failed(new Failure(problem.code().code(), Category.CALLER, problem.detail()));
    };
  }

  private static void tell(AgentRun run, RunEvent event) {
    try {
      run.tell(event);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
