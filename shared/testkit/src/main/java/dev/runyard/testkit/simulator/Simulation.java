package dev.runyard.testkit.simulator;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Limits;
import dev.runyard.core.run.RunKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/// One history of the whole system, made from one seed on one thread: clients and API, queue,
/// runners, stream functions and clock as actors over in-memory ports, wired as they are deployed.
/// While the faults are on, any port call may crash its actor, be refused, lose its answer, or take
/// long. Then the faults go off, the system comes to rest, and the invariants are checked.
public final class Simulation {
  /// What the system withstands.
  static final Set<Fault> FAULTS =
      EnumSet.complementOf(
          EnumSet.of(Fault.DUPLICATE, Fault.SKEW, Fault.SLOW_START, Fault.DRAIN, Fault.OUTAGE));

  private static final int CLIENTS = 2;
  private static final int CLIENT_ACTS = 45;
  private static final int RUNNERS = 3;
  private static final int HISTORY_SECONDS_MIN = 60;
  private static final int HISTORY_SECONDS_MAX = 1_200;
  private static final Duration REST_MAX = Duration.ofMinutes(90);

  private static final AttemptTiming TIMING =
      new AttemptTiming(
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofSeconds(4),
          Duration.ofSeconds(Limits.LEASE_SECONDS),
          Duration.ofSeconds(8));

  private final long seed;
  private final int seconds;
  private final SimulatedSystem system;
  private final Promises promises = new Promises();
  private final List<ClientActor> clients = new ArrayList<>();
  private final List<RunnerActor> runners = new ArrayList<>();
  private final List<StreamActor> streams = new ArrayList<>();

  private Simulation(long seed, Defect defect, Set<Fault> possible) {
    this.seed = seed;
    Random random = new Random(seed);
    this.seconds = HISTORY_SECONDS_MIN + random.nextInt(HISTORY_SECONDS_MAX - HISTORY_SECONDS_MIN);
    this.system = new SimulatedSystem(random, defect, possible);
    Timeline timeline = system.timeline();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new ClientActor(system, system.skewed(), promises, random, CLIENT_ACTS));
    }
    for (int i = 0; i < RUNNERS; i++) {
      runners.add(new RunnerActor("runner-" + i, system, system.skewed(), TIMING, random));
    }
    stream(random, UseCases::driveRun, (drive, run) -> drive.drive(run));
    stream(random, UseCases::projectRun, (project, run) -> project.project(run));
    clients.forEach(timeline::add);
    runners.forEach(timeline::add);
    streams.forEach(timeline::add);
    timeline.add(new ClockActor(system, system.skewed(), system.clock()));
    timeline.add(new Weather(system, runners, random));
  }

  /// Plays the history of `seed`, with every kind of fault.
  public static Report run(long seed, Defect defect) {
    return run(seed, defect, FAULTS);
  }

  /// Plays the history of `seed`.
  ///
  /// @param possible the kinds of faults it may have
  public static Report run(long seed, Defect defect, Set<Fault> possible) {
    return new Simulation(seed, defect, possible).play();
  }

  private <T> void stream(
      Random random, Function<UseCases, T> useCase, BiConsumer<T, RunKey> call) {
    InstantSource clock = system.skewed();
    Function<Caller, Consumer<RunKey>> function =
        caller -> {
          T made = useCase.apply(system.useCases(system.ports(caller), clock, "function"));
          return run -> call.accept(made, run);
        };
    streams.add(new StreamActor(system.log().changes(), function, system, system.clock(), random));
  }

  private Report play() {
    Instant quietSince = rest();
    List<Violation> violations = new ArrayList<>(system.timeline().failures());
    if (violations.isEmpty()) {
      violations.addAll(new Checker(system, clients, promises, quietSince).check());
    }
    long events = system.log().changes().stream().mapToLong(chunk -> chunk.events().size()).sum();
    return new Report(
        seed,
        violations,
        system.log().runs().size(),
        events,
        system.faults().calls(),
        runners.stream().mapToInt(RunnerActor::crashes).sum(),
        system.log().collisions(),
        system.duplicates(),
        count(RunEvent.ActionResolved.class),
        count(RunEvent.TaskResumed.class),
        count(RunEvent.ProcessInput.class),
        endings());
  }

  private long count(Class<? extends RunEvent> type) {
    return system.log().changes().stream()
        .flatMap(chunk -> chunk.events().stream())
        .filter(stored -> type.isInstance(stored.event()))
        .count();
  }

  private Map<String, Integer> endings() {
    Map<String, Integer> endings = new TreeMap<>();
    for (RunKey run : system.log().runs()) {
      endings.merge(system.log().all(run).getLast().state().orElse("open"), 1, Integer::sum);
    }
    return endings;
  }

  /// Plays with faults for a time, then without faults until nothing is left to do.
  private Instant rest() {
    Timeline timeline = system.timeline();
    timeline.play(timeline.now().plusSeconds(seconds), () -> false);
    system.faults().off();
    runners.forEach(RunnerActor::wake);
    streams.forEach(StreamActor::wake);
    Instant since = timeline.now();
    timeline.play(since.plus(REST_MAX), this::resting);
    for (int i = 0; i < 100 && timeline.failures().isEmpty(); i++) {
      clients.forEach(ClientActor::look);
    }
    return since;
  }

  private boolean resting() {
    return streams.stream().allMatch(StreamActor::drained) && system.settled();
  }

  /// What a history came to.
  public record Report(
      long seed,
      List<Violation> violations,
      int runs,
      long events,
      long portCalls,
      int crashes,
      long collisions,
      long duplicates,
      long decisions,
      long resumed,
      long inputs,
      Map<String, Integer> endings) {
    public Report {
      violations = List.copyOf(violations);
      endings = Map.copyOf(endings);
    }

    /// The command that plays this history again.
    public String replay() {
      return "mvn -pl shared/testkit -am test -Dtest=SimulatorTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Drunyard.seed="
          + seed;
    }
  }
}
