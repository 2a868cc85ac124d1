package dev.runyard.runner.attempt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Limits;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunKey;
import dev.runyard.runner.backend.AddedDirs;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.Standing;
import dev.runyard.runner.backend.Telling;
import dev.runyard.runner.process.ProcessTree;
import dev.runyard.runner.process.Reaping;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.workspace.WorkingDir;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Starts the agent of one attempt in a workspace and with a home of its own, and tidies up after
/// it. Both are made, and what the agent remembers is fetched, while the start is being written.
final class RunnerAgents implements AgentLauncher {
  private final AgentGateway gateway;
  private final AgentSetup setup;
  private @Nullable AgentRun run;
  private @Nullable AgentMemory memory;
  private @Nullable FutureTask<Supplier<AgentRun>> grounds;
  private final List<Workspace> folders = new CopyOnWriteArrayList<>();

  RunnerAgents(AgentGateway gateway, AgentSetup setup) {
    this.gateway = gateway;
    this.setup = setup;
  }

  /// The agent's run, once it was started.
  Optional<AgentRun> run() {
    return Optional.ofNullable(run);
  }

  @Override
  public String prepare(RunFacts facts, Attempt attempt) {
    grounds = begin(facts, attempt);
    AgentSettings.Agent agent = setup.settings().of(kind(facts));
    String program = agent.program();
    return program == null
        ? facts.request().agent()
        : String.valueOf(Path.of(program).getFileName());
  }

  /// A run is asked about only where its request, or else its agent's default, says so.
  @Override
  public boolean interactive(RunFacts facts) {
    JsonNode alone =
        gateway
            .backend(kind(facts))
            .map(AgentBackend::manifest)
            .filter(manifest -> manifest.capabilities().contains(Capabilities.NON_INTERACTIVE))
            .map(
                manifest ->
                    manifest.effective(facts.request().extensions(), Capabilities.NON_INTERACTIVE))
            .orElse(null);
    return alone != null && !alone.booleanValue();
  }

  @Override
  public AgentHandle launch(RunFacts facts, Attempt attempt) {
    AgentRun started = start(Objects.requireNonNull(grounds, "not prepared"));
    run = started;
    return PricedAgent.of(started, setup.settings().of(kind(facts)).prices());
  }

  @Override
  public Optional<RunEvent> keep(BooleanSupplier ours) {
    AgentMemory of = memory;
    return of == null ? Optional.empty() : run().flatMap(agent -> of.keep(agent, ours));
  }

  @Override
  public void endLost(RunKey run, String attemptId) {
    String lost = new RunMark(run.runId(), attemptId).value();
    Reaping reaping = ProcessTree.sweep(lost::equals);
    if (reaping.found() > 0) {
      setup.log().info("lost_agent_ended", Map.of("run_id", run.runId(), "found", reaping.found()));
    }
  }

  private FutureTask<Supplier<AgentRun>> begin(RunFacts facts, Attempt attempt) {
    FutureTask<Supplier<AgentRun>> begun = new FutureTask<>(() -> lay(facts, attempt));
    Thread.ofVirtual().name("prepare-" + attempt.id()).start(begun);
    return begun;
  }

  private AgentRun start(FutureTask<Supplier<AgentRun>> ready) {
    try {
      return ready.get().get();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return failed("the runner is being stopped");
    } catch (ExecutionException | RuntimeException e) {
      setup.log().failed("backend_broke", e);
      return failed("its backend broke");
    }
  }

  /// Does all that comes before the agent's process, and answers what starts it.
  private Supplier<AgentRun> lay(RunFacts facts, Attempt attempt) {
    try {
      RunMark mark = new RunMark(facts.run().runId(), attempt.id());
      Workspace home = Workspace.create(setup.homes(), mark);
      folders.add(home);
      Optional<AgentBackend> backend = gateway.backend(kind(facts));
      boolean keeps = backend.filter(one -> !one.sessionState().isEmpty()).isPresent();
      boolean replayed = backend.filter(AgentBackend::replayed).isPresent();
      if (keeps) {
        Continuity continuity =
            new Continuity(setup.paused(), setup.clock(), facts.run(), attempt, setup.workspaces());
        return switch (continuity.begin()) {
          case Continuity.Begun.Failed(Failure failure) -> () -> AgentRun.failed(failure);
          case Continuity.Begun.Ready begun -> {
            Workspace space = begun.workspace();
            folders.add(space);
            Supplier<AgentRun> starting = lay(facts, attempt, space, home.path());
            yield () -> {
              AgentRun started = starting.get();
              started.keepingFiles(continuity.keeping(begun, this::fits, () -> packed(space)));
              return started;
            };
          }
        };
      }
      if (attempt.continuation() && !replayed) {
        return () -> AgentRun.failed(Continuity.LOST);
      }
      Workspace space = Workspace.create(setup.workspaces(), mark);
      folders.add(space);
      return lay(facts, attempt, space, home.path());
    } catch (IOException _) {
      return () -> failed("the runner could not make a workspace");
    }
  }

  private Supplier<AgentRun> lay(RunFacts facts, Attempt attempt, Workspace space, Path home)
      throws IOException {
    String wanted = facts.request().workingDir();
    WorkingDir dir =
        wanted == null
            ? new WorkingDir.Granted(space.path())
            : space.workingDir(wanted, Workspace.AbsolutePaths.REFUSED);
    return switch (dir) {
      case WorkingDir.Granted granted -> lay(facts, attempt, space.path(), granted.path(), home);
      case WorkingDir.Refused refused -> () -> failed(refused.reason());
    };
  }

  private boolean fits() {
    AgentMemory of = memory;
    return of != null && of.fits();
  }

  /// The next attempt may have the same path of the same machine from now on.
  private void packed(Workspace workspace) {
    folders.remove(workspace);
    if (!setup.keepWorkspaces()) {
      remove(workspace);
    }
  }

  private Supplier<AgentRun> lay(
      RunFacts facts, Attempt attempt, Path space, Path workingDir, Path home) {
    Map<String, JsonNode> extensions = facts.request().extensions();
    Optional<RunEvent> warning = Optional.empty();
    Optional<AgentBackend> backend = gateway.backend(kind(facts));
    if (backend.isPresent()) {
      AgentMemory own = new AgentMemory(setup.states(), backend.get(), facts, attempt, home);
      memory = own;
      switch (own.recall(extensions, attempt.continuation())) {
        case AgentMemory.Recalled.Failed failed -> {
          return () -> AgentRun.failed(failed.failure());
        }
        case AgentMemory.Recalled.Ready ready -> {
          extensions = ready.extensions();
          warning = ready.warning();
        }
      }
    }
    AgentRunRequest request =
        new AgentRunRequest(
            kind(facts),
            facts.run().runId(),
            attempt.id(),
            facts.request().prompt(),
            extensions,
            space,
            workingDir,
            facts.request().env(),
            new Standing(
                facts.run(),
                facts.request().sessionId(),
                facts.request().input(),
                facts.journal(),
                attempt.continuation()),
            facts.request().bounds());
    Telling telling = Telling.of(setup.artifacts(), facts.run(), attempt.id(), workingDir);
    boolean pausable = AddedDirs.within(extensions, workingDir, space);
    BackendContext context = setup.context(kind(facts), home, telling, pausable);
    Optional<RunEvent> first = warning;
    return () -> started(request, context, first);
  }

  private AgentRun started(
      AgentRunRequest request, BackendContext context, Optional<RunEvent> warning) {
    return switch (gateway.run(request, context)) {
      case AgentGateway.Result.Started started -> told(started.run(), warning);
      case AgentGateway.Result.Refused refused ->
          AgentRun.failed(
              new Failure(
                  refused.problem().code().code(), Category.CALLER, refused.problem().detail()));
    };
  }

  private static AgentRun told(AgentRun run, Optional<RunEvent> warning) {
    try {
      if (warning.isPresent()) {
        run.tell(warning.get());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return run;
  }

  /// Ends the agent where the attempt could not, and removes its folders, unless they are kept.
  void tidy() {
    run().ifPresent(agent -> agent.abandon(Duration.ofSeconds(Limits.STOP_SECONDS)));
    if (!setup.keepWorkspaces()) {
      awaitGrounds();
      folders.forEach(this::remove);
    }
  }

  /// An attempt that was fenced before its start may still be making its folders.
  private void awaitGrounds() {
    FutureTask<Supplier<AgentRun>> begun = grounds;
    try {
      if (begun != null) {
        begun.get();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      setup.log().failed("backend_broke", e);
    }
  }

  private void remove(Workspace folder) {
    try {
      folder.clean();
    } catch (IOException e) {
      setup.log().failed("workspace_not_removed", e);
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
