package dev.runyard.testkit.simulator;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.clock.ClockSweep;
import dev.runyard.core.clock.OpenRuns;
import dev.runyard.core.decide.ResolveAction;
import dev.runyard.core.drive.DriveRun;
import dev.runyard.core.drive.Lanes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.project.ModelSnapshots;
import dev.runyard.core.project.ProjectRun;
import dev.runyard.core.project.WholeSnapshots;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.Limits;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.send.SendMessage;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.session.SessionTurns;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.view.ReadModels;
import dev.runyard.testkit.memory.MemoryIdempotencyStore;
import dev.runyard.testkit.memory.MemoryReadModels;
import dev.runyard.testkit.memory.MemoryRunQueue;
import dev.runyard.testkit.memory.MemoryRunnerFleet;
import dev.runyard.testkit.memory.MemorySessionTurns;
import dev.runyard.testkit.memory.MemorySlots;
import dev.runyard.testkit.memory.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// One history of the whole system, made from one seed on one thread: client and API, queue,
/// runners, stream functions and clock as actors over in-memory ports. While the faults are on, any
/// port call may crash its actor, be refused, lose its answer, or let other actors run first. Then
/// the faults go off, the system comes to rest, and the invariants are checked.
public final class Simulation {
  private static final int FAULTY_STEPS = 700;
  private static final int NESTING_MAX = 2;
  private static final int RECEIVE_COUNT_MAX = 5;

  /// The simulator's runners are there from the beginning.
  private static final FleetSize NO_FLEET = new FleetSize(0, 0, 1);

  private static final Duration REST_MAX = Duration.ofMinutes(90);

  /// Between two steps without faults: nothing that is due happens sooner.
  static final Duration REST_STEP = Duration.ofMillis(700);

  private static final Failure LOST =
      new Failure(Failure.RUNNER_LOST, Category.INTERNAL, "It was lost.");

  private final long seed;
  private final Random random;
  private final SettableClock clock;
  private final SimulatedLog log;
  private final ReadModels models = new MemoryReadModels();
  private final SimulatedQueue queue;
  private final MemoryRunQueue dead;
  private final MemoryRunQueue parked;
  private final Faults faults;
  private final ScriptedAgents agents;
  private final Talk talk;
  private final Sessions sessions;
  private final ClientActor client;
  private final List<RunnerActor> runners = new ArrayList<>();
  private final List<StreamActor> streams = new ArrayList<>();
  private final List<Actor> actors = new ArrayList<>();
  private final Set<Actor> busy = new HashSet<>();
  private final List<Violation> failures = new ArrayList<>();

  private Simulation(long seed, Defect defect) {
    this.seed = seed;
    this.random = new Random(seed);
    this.clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    this.log = new SimulatedLog(defect);
    this.faults = new Faults(random, this::interleave);
    this.agents = new ScriptedAgents(random, clock, defect);
    this.dead = new MemoryRunQueue(clock, 60);
    this.parked = new MemoryRunQueue(clock, 60);
    this.queue =
        new SimulatedQueue(
            new MemoryRunQueue(clock, Limits.LEASE_SECONDS, RECEIVE_COUNT_MAX, dead), random);
    Ids ids = new RandomIds(random);
    EventLog reached = new FaultyPorts.Log(log, faults);
    RunQueue sends = new FaultyPorts.Queue(queue, faults);
    ReadModels views = new FaultyPorts.Models(models, faults);
    RunDecider rules = rules(defect);
    RunLog runs = new RunLog(reached, new ModelSnapshots(views), rules, clock, ids, "function");
    TurnOrder turns =
        new TurnOrder(new FaultyPorts.Sessions(sessions(defect), faults), runs, sends);
    SubmitRun submit =
        new SubmitRun(
            runs,
            reached,
            turns,
            new FaultyPorts.Keys(new MemoryIdempotencyStore(), faults),
            clock,
            ids);
    this.talk =
        new Talk(
            new ResolveAction(runs, clock), new SendMessage(runs, catalog(), ids), runs, random);
    DriveRun drive = new DriveRun(runs, turns, clock);
    ProjectRun project = new ProjectRun(runs, views);
    this.sessions =
        new Sessions(
            new SessionHistory(views, reached),
            defect == Defect.SESSION_LEFT_BEHIND ? _ -> true : project::ended,
            runs);
    this.client =
        new ClientActor(submit, new CancelRun(runs), talk, sessions, runs, reached, clock, random);
    stream(drive::drive, new FaultyPorts.Queue(parked, faults));
    stream(project::project, new FaultyPorts.Queue(parked, faults));
    RunLog writes =
        new RunLog(reached, new WholeSnapshots(views, reached), rules, clock, ids, "runner");
    for (int i = 0; i < 3; i++) {
      runners.add(new RunnerActor("runner-" + i, writes, sends, agents, clock, ids, random));
    }
    ClockSweep sweep =
        new ClockSweep(
            new OpenRuns(views, drive),
            new FaultyPorts.Queue(dead, faults),
            new FaultyPorts.Queue(parked, faults),
            new ScaleRunners(
                sends, new MemorySlots(), new MemoryRunnerFleet(), NO_FLEET, ids, _ -> {}),
            Lanes.one(),
            clock);
    actors.add(client);
    actors.addAll(runners);
    actors.addAll(streams);
    actors.add(new ClockActor(sweep, clock));
  }

  /// Plays the history of `seed`.
  public static Report run(long seed, Defect defect) {
    return new Simulation(seed, defect).play();
  }

  private void stream(Consumer<RunKey> function, RunQueue parked) {
    streams.add(new StreamActor(log.changes(), function, parked, clock, random));
  }

  /// One agent that takes messages.
  private static AgentCatalog catalog() {
    return new AgentCatalog(
        List.of(
            new AgentManifest(
                AgentCatalog.ECHO,
                "Scripted",
                "Plays a script.",
                new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS, Capabilities.MESSAGE)),
                List.of(),
                List.of())));
  }

  private static SessionTurns sessions(Defect defect) {
    SessionTurns kept = new MemorySessionTurns();
    return defect == Defect.TURNS_WRITTEN_WITHOUT_CONDITION ? new UnconditionalTurns(kept) : kept;
  }

  private static RunDecider rules(Defect defect) {
    RunDecider rules = RunDecider.rules();
    return switch (defect) {
      case CLAIM_NOT_CHECKED ->
          (state, command) ->
              command instanceof RunCommand.Report report && state instanceof RunState.InProgress
                  ? new Decision.Append(report.events())
                  : rules.decide(state, command);
      case ENQUEUE_NEVER_REPEATED ->
          (state, command) ->
              command instanceof RunCommand.Advance && state instanceof RunState.Created
                  ? Decision.stay()
                  : rules.decide(state, command);
      case SECOND_DECISION_COUNTS ->
          (state, command) ->
              command instanceof RunCommand.Resolve resolve
                      && state instanceof RunState.Open open
                      && open.facts().journal().action(resolve.actionId()).isPresent()
                  ? Decision.append(
                      new RunEvent.ActionResolved(
                          resolve.actionId(), resolve.decision(), null, resolve.by()))
                  : rules.decide(state, command);
      case PAUSED_NEVER_RESUMED ->
          (state, command) ->
              command instanceof RunCommand.Advance
                      && state instanceof RunState.Parked parked
                      && !parked.facts().journal().awaiting()
                  ? Decision.stay()
                  : rules.decide(state, command);
      case LOST_WHILE_WAITING ->
          (state, command) ->
              rules.decide(state, command) instanceof Decision.Append append
                      && append.events().getFirst() instanceof RunEvent.TaskPaused paused
                      && command instanceof RunCommand.Claim
                  ? Decision.append(
                      new RunEvent.AttemptFailed(paused.attempt(), paused.attemptId(), LOST))
                  : rules.decide(state, command);
      case NONE,
          PUT_WITHOUT_CONDITION,
          TERMINAL_WRITTEN_TWICE,
          OUTPUT_AFTER_EXIT,
          MESSAGE_TAKEN_TWICE,
          SESSION_LEFT_BEHIND,
          OUTPUT_REPEATED,
          TURNS_WRITTEN_WITHOUT_CONDITION ->
          rules;
    };
  }

  private Report play() {
    for (int i = 0; i < FAULTY_STEPS && failures.isEmpty(); i++) {
      disturb();
      act(actors.get(random.nextInt(actors.size())));
      clock.advance(pause());
    }
    Instant quietSince = rest();
    List<Violation> violations = new ArrayList<>(failures);
    violations.addAll(new Checker(log, models, agents, client, talk, sessions, quietSince).check());
    long events = log.changes().stream().mapToLong(chunk -> chunk.events().size()).sum();
    return new Report(
        seed,
        violations,
        log.runs().size(),
        events,
        faults.counts().values().stream().mapToLong(Long::longValue).sum(),
        runners.stream().mapToInt(RunnerActor::crashes).sum(),
        log.collisions(),
        queue.duplicates(),
        count(RunEvent.ActionResolved.class),
        count(RunEvent.TaskResumed.class),
        count(RunEvent.ProcessInput.class),
        endings());
  }

  private long count(Class<? extends RunEvent> type) {
    return log.changes().stream()
        .flatMap(chunk -> chunk.events().stream())
        .filter(stored -> type.isInstance(stored.event()))
        .count();
  }

  private Map<String, Integer> endings() {
    Map<String, Integer> endings = new TreeMap<>();
    for (RunKey run : log.runs()) {
      endings.merge(log.all(run).getLast().state().orElse("open"), 1, Integer::sum);
    }
    return endings;
  }

  private void disturb() {
    int dice = random.nextInt(400);
    if (dice == 0) {
      runners.get(random.nextInt(runners.size())).crashed();
    } else if (dice < 4) {
      runners.get(random.nextInt(runners.size())).pause(Duration.ofSeconds(random.nextInt(120)));
    } else if (dice < 6) {
      faults.outage(true);
    } else if (dice < 20) {
      faults.outage(false);
    }
  }

  private Duration pause() {
    int dice = random.nextInt(100);
    if (dice < 80) {
      return Duration.ofMillis(random.nextInt(40));
    }
    return Duration.ofMillis(dice < 97 ? random.nextInt(1500) : random.nextInt(40_000));
  }

  /// Lets everything run without faults until nothing is left to do.
  private Instant rest() {
    faults.off();
    queue.faultsOff();
    client.quiet();
    runners.forEach(RunnerActor::wake);
    streams.forEach(StreamActor::faultsOff);
    Instant since = clock.instant();
    Instant end = since.plus(REST_MAX);
    while (clock.instant().isBefore(end) && failures.isEmpty() && !resting()) {
      for (int i = 0; i < 3 * actors.size(); i++) {
        act(actors.get(random.nextInt(actors.size())));
      }
      clock.advance(REST_STEP);
    }
    for (int i = 0; i < 200; i++) {
      act(client);
    }
    return since;
  }

  private boolean resting() {
    return streams.stream().allMatch(StreamActor::drained)
        && log.runs().stream().allMatch(run -> log.all(run).getLast().closed())
        && queue.depth().equals(new RunQueue.Depth(0, 0))
        && dead.runs().isEmpty()
        && parked.runs().isEmpty();
  }

  private void interleave() {
    if (busy.size() <= NESTING_MAX) {
      act(actors.get(random.nextInt(actors.size())));
    }
  }

  private void act(Actor actor) {
    if (actor.nextAt().isAfter(clock.instant()) || !busy.add(actor)) {
      return;
    }
    try {
      actor.act();
    } catch (Crash _) {
      actor.crashed();
    } catch (PortUnavailable _) {
      return;
    } catch (RuntimeException e) {
      failures.add(new Violation("actor", actor.getClass().getSimpleName() + " failed: " + e));
    } finally {
      busy.remove(actor);
    }
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
