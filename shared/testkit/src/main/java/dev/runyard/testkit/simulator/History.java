package dev.runyard.testkit.simulator;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// The processes of a system and the time they are given: first with faults, then without, until
/// nothing is left to do.
final class History {
  /// How long a history may go on without faults: where nobody is waited for for long, and where
  /// runs of a session wait one after another for a person who does not answer.
  static final Duration HOURS = Duration.ofMinutes(90);

  static final Duration DAYS = Duration.ofDays(30);

  private static final int RUNNERS = 3;

  private static final AttemptTiming TIMING =
      new AttemptTiming(
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofSeconds(4),
          Duration.ofSeconds(Limits.LEASE_SECONDS),
          Duration.ofSeconds(8));

  private final SimulatedSystem system;
  private final Random random;
  private final List<RunnerActor> runners = new ArrayList<>();
  private final List<StreamActor> streams = new ArrayList<>();
  private final Duration restMax;
  private Instant quietSince = Instant.MAX;

  History(SimulatedSystem system, Random random, Duration restMax) {
    this.restMax = restMax;
    this.system = system;
    this.random = random;
    Timeline timeline = system.timeline();
    for (int i = 0; i < RUNNERS; i++) {
      runners.add(new RunnerActor("runner-" + i, system, system.skewed(), TIMING, random));
    }
    stream(UseCases::advanceRun, (advance, run) -> advance.advance(run));
    stream(UseCases::projectRun, (project, run) -> project.project(run));
    runners.forEach(timeline::add);
    streams.forEach(timeline::add);
    timeline.add(new SweepActor(system, system.skewed(), system.clock()));
  }

  private <T> void stream(Function<UseCases, T> useCase, BiConsumer<T, RunKey> call) {
    InstantSource clock = system.skewed();
    Function<SimulatedCaller, Consumer<RunKey>> function =
        caller -> {
          T made = useCase.apply(system.useCases(system.ports(caller), clock, Planted.DRIVER));
          return run -> call.accept(made, run);
        };
    streams.add(new StreamActor(system.log().changes(), function, system, system.clock(), random));
  }

  List<RunnerActor> runners() {
    return runners;
  }

  /// Plays with faults for a time, then without until nothing is left to do.
  void play(Duration faulty) {
    Timeline timeline = system.timeline();
    timeline.play(timeline.now().plus(faulty), () -> false);
    system.faults().off();
    runners.forEach(RunnerActor::wake);
    streams.forEach(StreamActor::wake);
    quietSince = timeline.now();
    timeline.play(quietSince.plus(restMax), this::resting);
  }

  private boolean resting() {
    return streams.stream().allMatch(StreamActor::drained) && system.settled();
  }

  /// What is wrong with what is left.
  List<Violation> check(
      List<Map<RunKey, List<StoredEvent>>> followed, Sessions sessions, Promises promises) {
    List<Violation> violations = new ArrayList<>(system.timeline().failures());
    if (violations.isEmpty()) {
      violations.addAll(new Checker(system, followed, sessions, promises, quietSince).check());
    }
    return violations;
  }
}
