package dev.runyard.simulator;

import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.submit.IdempotencyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// The processes of a system and the time they are given: first with faults, then without, until
/// nothing is left to do.
final class History {
  /// How long a history may go on without faults: where nobody is waited for for long, and where
  /// runs of a session wait one after another for a person who does not answer.
  static final Duration HOURS = Duration.ofMinutes(90);

  static final Duration DAYS = Duration.ofDays(30);

  static final Duration REFUSED = Duration.ofHours(2);

  /// Until somebody notices what a missing right holds up.
  private static final Duration NOTICED = Duration.ofMinutes(6);

  /// Until a run fails that no runner takes, and some more.
  static final Duration UNSTARTED = Duration.ofHours(14);

  /// No clock says any more that a key is still remembered.
  private static final Duration KEYS_KEPT =
      Duration.ofSeconds(IdempotencyStore.KEY_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX);

  /// Runners that are there all the time, where none is started.
  static final int RUNNERS = 3;

  private static final AttemptTiming TIMING =
      new AttemptTiming(
          Duration.ofMillis(100),
          Duration.ofSeconds(Limits.GATHER_SECONDS_MAX),
          Duration.ofSeconds(4),
          Duration.ofSeconds(Limits.LEASE_SECONDS),
          Duration.ofSeconds(8));

  private final SimulatedSystem system;
  private final Random random;
  private final List<RunnerActor> runners = new ArrayList<>();
  private final List<StreamActor> streams = new ArrayList<>();
  private final Duration restMax;
  private Instant quietSince = Instant.MAX;
  private boolean noticed;

  History(SimulatedSystem system, Random random, Duration restMax) {
    this.restMax = restMax;
    this.system = system;
    this.random = random;
    Timeline timeline = system.timeline();
    if (system.setting().started()) {
      system.runners().starts(this::runner);
    } else {
      for (int i = 0; i < RUNNERS; i++) {
        timeline.add(runner("runner-" + i, null));
      }
    }
    for (int i = 0; i < StreamActor.COPIES; i++) {
      streams.add(new StreamActor(Role.ADVANCE, i, StreamFunction::advance, system, random));
      streams.add(new StreamActor(Role.PROJECT, i, StreamFunction::project, system, random));
    }
    streams.forEach(timeline::add);
    timeline.add(new SweepActor(system, false));
    if (system.faults().has(Fault.TWICE)) {
      timeline.add(new SweepActor(system, true));
    }
  }

  private RunnerActor runner(String name, @Nullable StartedTask task) {
    RunnerActor runner = new RunnerActor(name, system, TIMING, random, task);
    runners.add(runner);
    return runner;
  }

  /// The runners there ever were.
  List<RunnerActor> runners() {
    return runners;
  }

  /// Plays with faults for a time, then without until nothing is left to do.
  void play(Duration faulty) {
    Timeline timeline = system.timeline();
    timeline.play(timeline.now().plus(faulty), () -> false);
    system.faults().off();
    system.runners().recovers();
    if (!system.setting().refused()) {
      system.lostRecords().handled(system.log());
    }
    runners.forEach(RunnerActor::wake);
    streams.forEach(StreamActor::wake);
    quietSince = timeline.now();
    rest();
  }

  /// Nothing happens for a day, in which idempotency keys expire, and up to two more.
  void expire() {
    Duration late = Duration.ofSeconds(random.nextInt(Expiry.LATE_SECONDS_MAX));
    system.timeline().skip(KEYS_KEPT.plus(late));
  }

  /// Plays on without faults until nothing is left to do. What happens after `play` takes time too,
  /// in which clients may ask for more.
  void rest() {
    system.timeline().play(quietSince.plus(restMax), this::resting);
  }

  /// It goes on no longer than somebody needs to notice that a call was refused.
  void endsOnceNoticed() {
    noticed = true;
  }

  private boolean resting() {
    boolean over = noticed && system.now().isAfter(quietSince.plus(NOTICED));
    if (over
        && system.faults().refusedSince().isPresent()
        && !system.alarms().within(NOTICED).isEmpty()) {
      return true;
    }
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
