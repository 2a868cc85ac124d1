package dev.runyard.simulator;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.AwaitedStore;
import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Where one attempt has its agent, and what is done there for it. It dies with its runner.
final class Machine implements AgentLauncher {
  private static final double STALL = 0.2;
  private static final int STALL_SECONDS_MIN = 60;
  private static final int STALL_SECONDS_MAX = 120;

  private final SimulatedSystem system;
  private final SimulatedCaller caller;
  private final BackgroundActor background;
  private final Random random;
  private final ArtifactStore bucket;
  private final PausedWorkspaces paused;
  private final SessionSnapshots sessions;
  private @Nullable SimulatedStart start;
  private @Nullable ScriptedAgent agent;

  /// @param caller the attempt, whose own calls it waits for
  Machine(
      SimulatedSystem system, SimulatedCaller caller, BackgroundActor background, Random random) {
    this.system = system;
    this.caller = caller;
    this.background = background;
    this.random = random;
    this.bucket = system.bucket(background.caller());
    this.paused = new PausedWorkspaces(bucket);
    this.sessions = new SessionSnapshots(bucket, Runnable::run);
  }

  SimulatedSystem system() {
    return system;
  }

  Random random() {
    return random;
  }

  ArtifactStore bucket() {
    return bucket;
  }

  PausedWorkspaces paused() {
    return paused;
  }

  /// The same for what is waited for.
  PausedWorkspaces paused(AwaitedStore.Patience patience) {
    return new PausedWorkspaces(new AwaitedStore(bucket, patience));
  }

  SessionSnapshots sessions() {
    return sessions;
  }

  /// The same for what is waited for.
  SessionSnapshots sessions(AwaitedStore.Patience patience) {
    return new SessionSnapshots(new AwaitedStore(bucket, patience), Runnable::run);
  }

  Optional<ScriptedAgent> agent() {
    return Optional.ofNullable(agent);
  }

  /// Work that takes a while.
  <T> Future<T> beside(Duration takes, Supplier<T> work) {
    return background.begin(caller, takes, work);
  }

  /// What the attempt needs is long in coming.
  void held(Duration takes) {
    if (!takes.isZero()) {
      caller.hit(Fault.SLOW_START, system.now(), system.now().plus(takes));
    }
  }

  /// The runner may stand still right now.
  void mayStall() {
    if (system.faults().strikes(Fault.STALL, STALL)) {
      background.stall(Duration.ofSeconds(random.nextInt(STALL_SECONDS_MIN, STALL_SECONDS_MAX)));
    }
  }

  ScriptedAgent started(RunFacts facts, Attempt attempt, AgentSite place) {
    ScriptedAgent started = system.agents().launch(facts, attempt, place);
    agent = started;
    return started;
  }

  @Override
  public AgentStart prepare(RunFacts facts, Attempt attempt) {
    SimulatedStart begun = new SimulatedStart(this, facts, attempt);
    start = begun;
    return begun;
  }

  @Override
  public Optional<Keeping> keep(boolean completed) {
    return Optional.ofNullable(start)
        .flatMap(SimulatedStart::keep)
        .map(
            kept -> system.has(Defect.MEMORY_NOT_WAITED_FOR) ? new HastyKeeping(kept, this) : kept);
  }

  @Override
  public void endLost(RunKey run, String attemptId) {
    if (!system.has(Defect.LOST_AGENT_LEFT)) {
      system.orphans().end(attemptId);
    }
  }

  /// The attempt is over.
  ///
  /// @param ended whether its end is in the log
  void tidy(boolean ended) {
    SimulatedStart begun = start;
    if (ended && begun != null) {
      begun.forget();
    }
  }
}
