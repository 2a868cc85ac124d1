package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.queue.QueueMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// One history of the whole system, made from one seed on one thread: clients and API, queue,
/// runners, stream functions and sweep as actors over in-memory ports, wired as they are deployed.
/// Some histories last for days. While the faults are on, any port call may crash its actor, be
/// refused, lose its answer, or take long. Then the faults go off, the system comes to rest, and
/// the invariants are checked.
public final class Simulation {
  /// What the system withstands.
  static final Set<Fault> FAULTS = Set.copyOf(EnumSet.allOf(Fault.class));

  private static final int CLIENTS = 2;
  private static final int CLIENT_ACTS = 45;
  private static final int LOOKS = 100;
  private static final int SECONDS_MIN = 60;
  private static final int SECONDS_MAX = 1_200;

  /// How long faults last in a history in which a right is missing, times the seed: few rights are
  /// needed only in longer ones.
  private static final Duration LACKING = Duration.ofMinutes(2);

  private static final int LACKING_MAX = 6;

  private static final RunKey NO_RUN =
      new RunKey(ClientActor.TENANT, "00000000-0000-7000-8000-000000000000");

  private final long seed;
  private final Random random;
  private final SimulatedSystem system;
  private final History history;
  private final Optional<MissingRight> lacking;
  private final Promises promises = new Promises();
  private final List<ClientActor> clients = new ArrayList<>();

  private Simulation(
      long seed,
      Defect defect,
      Set<Fault> possible,
      Function<InstantSource, SimulatedStorage> storage) {
    this(seed, Setting.of(seed), Optional.empty(), defect, possible, storage);
  }

  private Simulation(
      long seed,
      Setting drawn,
      Optional<MissingRight> given,
      Defect defect,
      Set<Fault> possible,
      Function<InstantSource, SimulatedStorage> storage) {
    this.seed = seed;
    this.random = new Random(seed);
    this.lacking =
        drawn.refused() && given.isEmpty()
            ? Optional.of(MissingRight.random(random, SimulatedSystem.BEGIN))
            : given;
    Setting setting = lacking.map(MissingRight::right).map(drawn::needing).orElse(drawn);
    this.system =
        new SimulatedSystem(
            random,
            defect,
            setting,
            timeline -> new Faults(random, timeline, setting.possible(possible), lacking),
            storage);
    this.history = new History(system, random, restMax(setting));
    if (lacking.filter(right -> right.right().need() == Right.Need.DEAD_LETTER).isPresent()) {
      system.deadLetters().send(QueueMessage.of(NO_RUN), 0);
    }
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new ClientActor(system, promises, random, CLIENT_ACTS));
    }
    clients.forEach(system.timeline()::add);
    if (setting.chatty()) {
      system.timeline().add(new ChattyClient(system, promises, random));
    }
    if (setting.integrated()) {
      system.others().listen();
      system.others().call();
    }
    if (setting.jobs()) {
      system.timeline().add(new JobClient(system, promises, random));
    }
    if (setting.tasks()) {
      for (int i = 0; i < CLIENTS; i++) {
        system.timeline().add(new TaskClient(system, promises, random));
      }
    }
    Weather weather = new Weather(system, history.runners(), random);
    system.timeline().add(weather);
    system.log().watch(weather::saw);
  }

  private Duration restMax(Setting setting) {
    if (setting.refused()) {
      return lacking.filter(MissingRight::keepsRunsFromRunners).isPresent()
          ? History.UNSTARTED
          : History.REFUSED;
    }
    return setting.lasting() ? History.DAYS : History.HOURS;
  }

  /// True if the defect may show in the history of `seed`.
  static boolean shows(long seed, Defect defect) {
    SimulatedSystem system =
        new Simulation(seed, Defect.NONE, FAULTS, _ -> SimulatedStorage.memory()).system;
    return defect.shows(system.setting(), system.faults().kinds());
  }

  /// True if the history of `seed` has other systems.
  static boolean integrated(long seed) {
    return Setting.of(seed).integrated();
  }

  /// What happened between the system and others in the history of `seed`.
  static OtherSystems.Tally tally(long seed) {
    Simulation simulation =
        new Simulation(seed, Defect.NONE, FAULTS, _ -> SimulatedStorage.memory());
    simulation.play();
    return simulation.system.others().tally();
  }

  /// Plays the history of `seed`.
  public static Report run(long seed, Defect defect) {
    return run(seed, defect, FAULTS);
  }

  /// Plays the history of `seed`.
  ///
  /// @param possible the kinds of faults it may have
  public static Report run(long seed, Defect defect, Set<Fault> possible) {
    return new Simulation(seed, defect, possible, _ -> SimulatedStorage.memory()).play();
  }

  /// Plays the history of `seed` with all faults on a storage that is made on its clock.
  public static Report run(long seed, Function<InstantSource, SimulatedStorage> storage) {
    return new Simulation(seed, Defect.NONE, FAULTS, storage).play();
  }

  /// What became of a history in which a right is missing.
  ///
  /// @param refused whether a call was refused for it
  record Lacked(boolean refused, List<Violation> violations) {}

  /// Plays a history in which this right is missing, and what it is needed for is there.
  static Lacked lacking(long seed, MissingRight right, Defect defect) {
    Simulation simulation =
        new Simulation(
            seed,
            Setting.REFUSING,
            Optional.of(right),
            defect,
            FAULTS,
            _ -> SimulatedStorage.memory());
    simulation.history.endsOnceNoticed();
    List<Violation> violations =
        simulation.play(LACKING.multipliedBy(Math.min(LACKING_MAX, seed))).violations();
    return new Lacked(simulation.system.faults().refusedSince().isPresent(), violations);
  }

  private Report play() {
    int most = system.setting().started() ? 2 * SECONDS_MAX : SECONDS_MAX;
    return play(Duration.ofSeconds(SECONDS_MIN + random.nextInt(most - SECONDS_MIN)));
  }

  private Report play(Duration faulty) {
    history.play(faulty);
    boolean looks = !system.setting().refused();
    for (int i = 0; i < LOOKS && looks && system.timeline().failures().isEmpty(); i++) {
      clients.forEach(ClientActor::look);
    }
    history.rest();
    if (system.setting().lasting() && system.timeline().failures().isEmpty()) {
      history.expire();
      clients.getFirst().submitAgain();
      history.rest();
    }
    List<Violation> violations =
        history.check(
            clients.stream().map(ClientActor::followed).toList(),
            clients.getFirst().sessions(),
            promises);
    long events = system.log().changes().stream().mapToLong(Chunk::count).sum();
    return new Report(
        seed,
        violations,
        system.log().runs().size(),
        events,
        system.faults().calls(),
        history.runners().stream().mapToInt(RunnerActor::crashes).sum(),
        system.log().collisions(),
        system.runQueue().duplicates(),
        count(RunEvent.ActionResolved.class),
        count(RunEvent.TaskResumed.class),
        count(RunEvent.ProcessInput.class),
        endings(system.log()),
        Outages.lasted(system));
  }

  private long count(Class<? extends RunEvent> type) {
    return system.log().changes().stream()
        .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
        .filter(stored -> type.isInstance(stored.event()))
        .count();
  }

  /// How many runs ended in each way.
  static Map<String, Integer> endings(SimulatedLog log) {
    Map<String, Integer> endings = new TreeMap<>();
    for (RunKey run : log.runs()) {
      endings.merge(ending(log.last(run)), 1, Integer::sum);
    }
    return endings;
  }

  /// The phase a run ended in, or the code it failed with.
  private static String ending(Chunk last) {
    return last.events(EventCodec.RUNS).getLast().event() instanceof RunEvent.TaskFailed failed
        ? failed.error().code()
        : last.state().orElse("open");
  }

  /// What a history came to.
  ///
  /// @param outages what nobody reached for ten minutes, while a run was open
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
      Map<String, Integer> endings,
      Set<Fault> outages) {
    public Report {
      violations = List.copyOf(violations);
      endings = Map.copyOf(endings);
      outages = Set.copyOf(outages);
    }

    /// The command that plays this history again.
    public String replay() {
      return "mvn -pl shared/simulator -am test -Dtest=SimulatorTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Drunyard.seed="
          + seed;
    }
  }
}
