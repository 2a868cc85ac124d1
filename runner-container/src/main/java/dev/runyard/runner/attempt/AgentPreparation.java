package dev.runyard.runner.attempt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.runner.backend.AddedDirs;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.backend.RunContext;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Starts the agent of one attempt in a workspace and with a home of its own, and tidies up after
/// it. Both are made, and what the agent remembers is fetched, on threads of their own: a store may
/// take its time.
final class AgentPreparation implements AgentLauncher {
  private final AgentGateway gateway;
  private final AgentSetup setup;
  private @Nullable AgentRun run;
  private volatile @Nullable SessionRestorer memory;
  private volatile @Nullable WorkspaceRestorer continuity;
  private @Nullable FutureTask<Supplier<AgentRun>> grounds;
  private final List<Workspace> folders = new CopyOnWriteArrayList<>();

  AgentPreparation(AgentGateway gateway, AgentSetup setup) {
    this.gateway = gateway;
    this.setup = setup;
  }

  /// The agent's run, once it was started.
  Optional<AgentRun> run() {
    return Optional.ofNullable(run);
  }

  @Override
  public AgentStart prepare(RunFacts facts, Attempt attempt) {
    FutureTask<Supplier<AgentRun>> begun = background(attempt, () -> lay(facts, attempt));
    grounds = begun;
    return new Starting(facts, attempt, begun);
  }

  @Override
  public Optional<Keeping> keep() {
    SessionRestorer of = memory;
    return of == null ? Optional.empty() : run().flatMap(of::keep);
  }

  /// A start whose parts are done on threads of their own.
  private final class Starting implements AgentStart {
    private final RunFacts facts;
    private final Attempt attempt;
    private final FutureTask<Supplier<AgentRun>> ready;
    private @Nullable FutureTask<Optional<Failure>> taking;

    Starting(RunFacts facts, Attempt attempt, FutureTask<Supplier<AgentRun>> ready) {
      this.facts = facts;
      this.attempt = attempt;
      this.ready = ready;
    }

    @Override
    public String program() {
      String program = setup.settings().of(kind(facts)).program();
      return program == null
          ? facts.request().agent()
          : String.valueOf(Path.of(program).getFileName());
    }

    /// A run is asked about only where its request, or else its agent's default, says so.
    @Override
    public boolean interactive() {
      JsonNode alone =
          gateway
              .backend(kind(facts))
              .map(AgentBackend::manifest)
              .filter(manifest -> manifest.capabilities().contains(Capabilities.NON_INTERACTIVE))
              .map(
                  manifest ->
                      manifest.effective(
                          facts.request().extensions(), Capabilities.NON_INTERACTIVE))
              .orElse(null);
      return alone != null && !alone.booleanValue();
    }

    @Override
    public Future<?> ready() {
      return ready;
    }

    @Override
    public Future<?> take() {
      WorkspaceRestorer of = continuity;
      boolean first = attempt.number() == 1 || of == null;
      FutureTask<Optional<Failure>> task =
          first
              ? new FutureTask<>(Optional::empty)
              : background(attempt, Objects.requireNonNull(of)::take);
      if (first) {
        task.run();
      }
      taking = task;
      return task;
    }

    @Override
    public Future<?> giveBack() {
      WorkspaceRestorer of = continuity;
      return background(
          attempt,
          () -> {
            if (of != null) {
              of.giveBack();
            }
            return Optional.empty();
          });
    }

    @Override
    public AgentHandle launch() {
      AgentRun started = answer(Objects.requireNonNull(taking, "not taken"), this::start);
      run = started;
      return PricedAgent.of(started, setup.settings().of(kind(facts)).prices());
    }

    private AgentRun start(Optional<Failure> notTaken) {
      return notTaken.map(AgentRun::failed).orElseGet(() -> answer(ready, Supplier::get));
    }

    private <T> AgentRun answer(Future<T> done, Function<T, AgentRun> start) {
      try {
        return start.apply(done.get());
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return failed("the runner is being stopped");
      } catch (ExecutionException | RuntimeException e) {
        setup.log().failed("backend_broke", e);
        return failed("its backend broke");
      }
    }
  }

  @Override
  public void endLost(RunKey run, String attemptId) {
    String lost = new RunMark(run.runId(), attemptId).value();
    Reaping reaping = ProcessTree.sweep(lost::equals);
    if (reaping.found() > 0) {
      setup.log().info("lost_agent_ended", Map.of("run_id", run.runId(), "found", reaping.found()));
    }
  }

  private static <T> FutureTask<T> background(Attempt attempt, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofVirtual().name("prepare-" + attempt.id()).start(task);
    return task;
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
        WorkspaceRestorer own =
            new WorkspaceRestorer(
                setup.paused(), setup.clock(), facts.run(), attempt, setup.workspaces());
        continuity = own;
        return switch (own.begin()) {
          case WorkspaceRestorer.Begun.Failed(Failure failure) -> () -> AgentRun.failed(failure);
          case WorkspaceRestorer.Begun.Ready begun -> {
            Workspace space = begun.workspace();
            folders.add(space);
            Supplier<AgentRun> starting = lay(facts, attempt, space, home.path());
            yield () -> {
              AgentRun started = starting.get();
              started.keepingFiles(own.keeping(begun, this::fits, () -> packed(space)));
              return started;
            };
          }
        };
      }
      if (attempt.continuation() && !replayed) {
        return () -> AgentRun.failed(WorkspaceRestorer.LOST);
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
    SessionRestorer of = memory;
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
      SessionRestorer own =
          new SessionRestorer(setup.states(), backend.get(), facts, attempt, home);
      memory = own;
      switch (own.recall(extensions, attempt.continuation())) {
        case SessionRestorer.Recalled.Failed failed -> {
          return () -> AgentRun.failed(failed.failure());
        }
        case SessionRestorer.Recalled.Ready ready -> {
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
            new RunContext(
                facts.run(),
                facts.request().sessionId(),
                facts.request().input(),
                facts.interactions(),
                attempt.continuation()),
            facts.request().bounds());
    EventShaper telling = EventShaper.of(setup.artifacts(), facts.run(), attempt.id(), workingDir);
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
  ///
  /// @param over whether the attempt's end is in the log
  void tidy(boolean over) {
    WorkspaceRestorer of = continuity;
    if (over && of != null) {
      of.forget();
    }
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
