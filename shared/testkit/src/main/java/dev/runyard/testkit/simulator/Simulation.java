package dev.runyard.testkit.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

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

  /// One history in so many lasts for days.
  private static final int LASTING_OF = 40;

  private final long seed;
  private final Random random;
  private final SimulatedSystem system;
  private final History history;
  private final Promises promises = new Promises();
  private final List<ClientActor> clients = new ArrayList<>();

  private Simulation(long seed, Defect defect, Set<Fault> possible) {
    this.seed = seed;
    this.random = new Random(seed);
    this.system =
        new SimulatedSystem(random, defect, timeline -> new Faults(random, timeline, possible));
    boolean lasting = random.nextInt(LASTING_OF) == 0;
    if (lasting) {
      system.agents().last();
    }
    this.history = new History(system, random, lasting ? History.DAYS : History.HOURS);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new ClientActor(system, system.skewed(), promises, random, CLIENT_ACTS, lasting));
    }
    clients.forEach(system.timeline()::add);
    system.timeline().add(new Weather(system, history.runners(), random));
  }

  /// Plays the history of `seed`.
  public static Report run(long seed, Defect defect) {
    return run(seed, defect, FAULTS);
  }

  /// Plays the history of `seed`.
  ///
  /// @param possible the kinds of faults it may have
  public static Report run(long seed, Defect defect, Set<Fault> possible) {
    return new Simulation(seed, defect, possible).play();
  }

  private Report play() {
    history.play(Duration.ofSeconds(SECONDS_MIN + random.nextInt(SECONDS_MAX - SECONDS_MIN)));
    for (int i = 0; i < LOOKS && system.timeline().failures().isEmpty(); i++) {
      clients.forEach(ClientActor::look);
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
        system.duplicates(),
        count(RunEvent.ActionResolved.class),
        count(RunEvent.TaskResumed.class),
        count(RunEvent.ProcessInput.class),
        endings());
  }

  private long count(Class<? extends RunEvent> type) {
    return system.log().changes().stream()
        .flatMap(chunk -> chunk.events(EventCodec.RUNS).stream())
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
