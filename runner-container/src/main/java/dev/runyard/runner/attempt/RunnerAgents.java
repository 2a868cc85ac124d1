package dev.runyard.runner.attempt;

import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.workspace.WorkingDir;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Starts the agent of one attempt in a workspace of its own, and tidies up after it.
final class RunnerAgents implements AgentLauncher {
  private final AgentGateway gateway;
  private final AgentSetup setup;
  private @Nullable AgentRun run;
  private @Nullable Workspace workspace;

  RunnerAgents(AgentGateway gateway, AgentSetup setup) {
    this.gateway = gateway;
    this.setup = setup;
  }

  /// The agent's run, once it was started.
  Optional<AgentRun> run() {
    return Optional.ofNullable(run);
  }

  @Override
  public String program(RunFacts facts) {
    AgentSettings.Agent agent = setup.settings().of(kind(facts));
    String program = agent.program();
    return program == null
        ? facts.request().agent()
        : String.valueOf(Path.of(program).getFileName());
  }

  @Override
  public AgentHandle launch(RunFacts facts, Attempt attempt) {
    AgentRun started = start(facts, attempt);
    run = started;
    return started;
  }

  private AgentRun start(RunFacts facts, Attempt attempt) {
    try {
      RunMark mark = new RunMark(facts.run().runId(), attempt.id());
      Workspace space = Workspace.create(setup.workspaces(), mark);
      workspace = space;
      String wanted = facts.request().workingDir();
      WorkingDir dir =
          wanted == null
              ? new WorkingDir.Granted(space.path())
              : space.workingDir(wanted, Workspace.AbsolutePaths.REFUSED);
      return switch (dir) {
        case WorkingDir.Granted granted -> start(facts, attempt, space.path(), granted.path());
        case WorkingDir.Refused refused -> failed(refused.reason());
      };
    } catch (IOException _) {
      return failed("the runner could not make a workspace");
    }
  }

  private AgentRun start(RunFacts facts, Attempt attempt, Path space, Path workingDir) {
    AgentRunRequest request =
        new AgentRunRequest(
            kind(facts),
            facts.run().runId(),
            attempt.id(),
            facts.request().prompt(),
            facts.request().extensions(),
            space,
            workingDir,
            facts.request().env());
    return switch (gateway.run(request, setup.context(kind(facts)))) {
      case AgentGateway.Result.Started started -> started.run();
      case AgentGateway.Result.Refused refused ->
          AgentRun.failed(
              new Failure(
                  refused.problem().code().code(), Category.CALLER, refused.problem().detail()));
    };
  }

  /// Removes the workspace, unless workspaces are kept.
  void tidy() {
    if (workspace != null && !setup.keepWorkspaces()) {
      try {
        workspace.clean();
      } catch (IOException e) {
        setup.log().failed("workspace_not_removed", e);
      }
    }
  }

  private static AgentKind kind(RunFacts facts) {
    return new AgentKind(facts.request().agent());
  }

  private static AgentRun failed(String reason) {
    return AgentRun.failed(
        new Failure(
            Failure.LAUNCH_FAILED,
            Category.BACKEND,
            "The agent could not be started: " + reason + "."));
  }
}
