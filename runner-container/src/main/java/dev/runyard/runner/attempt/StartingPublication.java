package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.checkout.PreparationSteps;
import dev.runyard.runner.publish.Publishing;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// An attempt of a run that only publishes what another run changed. No agent is started; all is
/// done before its log says that a process was, so that a run whose runner dies meanwhile is queued
/// again at once.
final class StartingPublication implements AgentStart {
  private static final String PROGRAM = "publish";

  private final BucketPatience patience;
  private final AgentSetup given;
  private final AgentSetup setup;
  private final AgentAttempt of;
  private final AttemptFolders folders;
  private final PreparationSteps steps = new PreparationSteps();
  private final FutureTask<AttemptPublication.Told> done;
  private final Thread thread;
  private @Nullable AgentRun run;

  /// Begins at once.
  StartingPublication(AgentSetup given, AgentAttempt of, AttemptFolders folders) {
    this.given = given;
    this.patience = new BucketPatience(given, of.run());
    this.setup = given.awaiting(patience);
    this.of = of;
    this.folders = folders;
    this.done = new FutureTask<>(this::publish);
    this.thread = Thread.ofPlatform().daemon().name("publish-" + of.attempt().id()).start(done);
  }

  /// The run of no agent, once it was started.
  Optional<AgentRun> run() {
    return Optional.ofNullable(run);
  }

  /// Ends what runs, and waits for that.
  void stop() {
    abandon();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String program() {
    return PROGRAM;
  }

  @Override
  public boolean interactive() {
    return false;
  }

  @Override
  public Future<?> ready() {
    return done;
  }

  @Override
  public Future<?> take() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public Future<?> giveBack() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public void abandon() {
    patience.end();
    steps.stop();
    thread.interrupt();
  }

  /// What was published by then is known from the server.
  @Override
  public Future<Optional<AgentHandle>> refuse(Failure why) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public AgentHandle launch() {
    AttemptPublication.Told told = told();
    AgentRun begun =
        told.failure()
            .map(failure -> AgentRun.failed(told.events(), failure))
            .orElseGet(() -> AgentRun.completed(told.events()));
    run = begun;
    return begun;
  }

  private AttemptPublication.Told told() {
    try {
      return done.get();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return refused();
    } catch (ExecutionException e) {
      setup.log().failed("change_not_published", e);
      return refused();
    }
  }

  private AttemptPublication.Told publish() {
    try {
      Workspace own =
          Workspace.create(setup.folders().checkouts(), RunnerFolders.checkout(of.mark()));
      folders.add(own);
      return new AttemptPublication(
              setup,
              of,
              setup.environment().redaction(of.kind(), of.request().env()),
              steps,
              given.stores().artifacts())
          .other(own.path());
    } catch (IOException e) {
      setup.log().failed("change_not_published", e);
      return refused();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return refused();
    }
  }

  private static AttemptPublication.Told refused() {
    Failure failure = Publishing.broken();
    return new AttemptPublication.Told(List.of(), Optional.of(failure));
  }
}
