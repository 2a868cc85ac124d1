package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentRun;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// An agent being started. PreparationSteps that may wait for a store run on their own threads.
final class StartingAgent implements AgentStart {
  /// How long a run that is refused waits for what prepares it to end, so that it can tell of that:
  /// longer than it takes to kill a command, but not to be rid of a user of which something will
  /// not die.
  static final int PREPARED_SECONDS_MAX = 90;

  private final AgentSetup setup;
  private final AgentAttempt of;
  private final AgentPreparation preparation;
  private final Future<Prepared<AgentLaunch>> prepared;
  private @Nullable Future<Optional<Failure>> taken;
  private volatile @Nullable AgentRun run;

  /// Begins to prepare the agent.
  StartingAgent(AgentSetup setup, AgentAttempt of, AttemptFolders folders) {
    this.setup = setup;
    this.of = of;
    this.preparation = new AgentPreparation(setup, of, folders);
    this.prepared = background(preparation::prepare);
  }

  AgentPreparation preparation() {
    return preparation;
  }

  /// The agent's run, once it was started.
  Optional<AgentRun> run() {
    return Optional.ofNullable(run);
  }

  @Override
  public String program() {
    return of.program();
  }

  @Override
  public boolean interactive() {
    return of.interactive();
  }

  @Override
  public Future<?> ready() {
    return prepared;
  }

  /// A run's first attempt has nothing to take over.
  @Override
  public Future<?> take() {
    Future<Optional<Failure>> taking =
        preparation
            .continuity()
            .filter(_ -> of.attempt().number() > 1)
            .map(own -> background(own::take))
            .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    taken = taking;
    return taking;
  }

  @Override
  public Future<?> giveBack() {
    return background(
        () -> {
          preparation.continuity().ifPresent(WorkspaceRestorer::giveBack);
          return true;
        });
  }

  @Override
  public void abandon() {
    preparation.abandon();
  }

  /// Only a run with a workspace has something to tell and to keep.
  @Override
  public Future<Optional<AgentHandle>> refuse(Failure why) {
    return background(
        () -> {
          if (!isPrepared() || preparation.files().wanted().isEmpty()) {
            return Optional.empty();
          }
          return Optional.of(begun(AgentRun.failed(preparation.files().told(), why)));
        });
  }

  /// False if it does not end though it was abandoned.
  private boolean isPrepared() throws InterruptedException {
    try {
      prepared.get(PREPARED_SECONDS_MAX, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      setup.log().failed("backend_broke", e);
      return true;
    } catch (TimeoutException _) {
      return false;
    }
  }

  @Override
  public AgentHandle launch() {
    preparation.launched();
    try {
      return switch (outcome()) {
        case Prepared.Ready<AgentLaunch>(AgentLaunch launch) ->
            launch.metering().of(begun(launch.start(setup.gateway())), launch.context().shaper());
        case Prepared.Refused<AgentLaunch>(Failure failure) ->
            begun(AgentRun.failed(preparation.files().told(), failure));
      };
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return begun(AgentRun.failed(Prepared.notStarted("the runner is being stopped")));
    } catch (ExecutionException | RuntimeException e) {
      setup.log().failed("backend_broke", e);
      return begun(AgentRun.failed(Prepared.notStarted("its backend broke")));
    }
  }

  private Prepared<AgentLaunch> outcome() throws InterruptedException, ExecutionException {
    Optional<Failure> notTaken = Objects.requireNonNull(taken, "not taken").get();
    return notTaken.isPresent() ? new Prepared.Refused<>(notTaken.get()) : prepared.get();
  }

  private AgentRun begun(AgentRun started) {
    run = started;
    return started;
  }

  private <T> Future<T> background(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().name("prepare-" + of.attempt().id()).start(task);
    return task;
  }
}
