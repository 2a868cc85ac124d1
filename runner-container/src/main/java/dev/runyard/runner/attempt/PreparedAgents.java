package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.process.ProcessTree;
import dev.runyard.runner.process.Reaping;
import dev.runyard.runner.process.RunMark;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Starts the agent of one attempt with its own workspace and home, and cleans up after it.
final class PreparedAgents implements AgentLauncher {
  private final AgentSetup setup;
  private final AttemptFolders folders;
  private @Nullable StartingAgent starting;
  private @Nullable StartingPublication publishing;

  PreparedAgents(AgentSetup setup) {
    this.setup = setup;
    this.folders = new AttemptFolders(setup.folders().kept(), setup.log());
  }

  /// The agent's run, once it was started.
  Optional<AgentRun> run() {
    return starting()
        .flatMap(StartingAgent::run)
        .or(() -> Optional.ofNullable(publishing).flatMap(StartingPublication::run));
  }

  @Override
  public AgentStart prepare(RunFacts facts, Attempt attempt) {
    AgentAttempt of = AgentAttempt.of(facts, attempt, setup);
    if (of.publishes()) {
      StartingPublication begun = new StartingPublication(setup, of, folders);
      publishing = begun;
      return begun;
    }
    StartingAgent begun = new StartingAgent(setup, of, folders);
    starting = begun;
    return begun;
  }

  @Override
  public Optional<Keeping> keep(boolean completed) {
    Optional<Keeping> memory =
        starting()
            .flatMap(begun -> begun.preparation().memory())
            .flatMap(known -> run().flatMap(known::keep));
    Optional<Keeping> change =
        starting()
            .flatMap(begun -> begun.preparation().change(memory, completed))
            .map(Keeping.class::cast)
            .or(() -> memory);
    return starting()
        .flatMap(begun -> begun.preparation().files(change))
        .map(Keeping.class::cast)
        .or(() -> change);
  }

  @Override
  public void endLost(RunKey run, String attemptId) {
    RunMark mark = new RunMark(run.runId(), attemptId);
    String lost = mark.value();
    Reaping reaping = ProcessTree.sweep(lost::equals);
    int found = reaping.found() + setup.services().isolation().end(lost::equals);
    if (found > 0) {
      setup.log().info("lost_agent_ended", Map.of("run_id", run.runId(), "found", found));
    }
    new LeftFolders(setup.folders(), setup.log()).ofAttempt(mark);
  }

  /// Ends the agent if the attempt could not, and removes its folders, unless they are kept.
  ///
  /// @param over whether the attempt's end is in the log and its agent is gone
  void tidy(boolean over) {
    starting().ifPresent(begun -> begun.preparation().abandon());
    if (over) {
      starting()
          .flatMap(begun -> begun.preparation().continuity())
          .ifPresent(WorkspaceRestorer::forget);
    }
    run().ifPresent(agent -> agent.abandon(Duration.ofSeconds(Limits.STOP_SECONDS)));
    starting()
        .ifPresent(
            begun -> {
              await(begun.ready());
              begun.preparation().models().close();
            });
    Optional.ofNullable(publishing).ifPresent(StartingPublication::stop);
    folders.removeAll();
  }

  /// An attempt that was fenced before its start may still be creating its folders.
  private void await(Future<?> ready) {
    try {
      ready.get();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      setup.log().failed("backend_broke", e);
    }
  }

  private Optional<StartingAgent> starting() {
    return Optional.ofNullable(starting);
  }
}
