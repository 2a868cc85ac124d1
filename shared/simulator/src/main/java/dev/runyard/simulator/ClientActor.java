package dev.runyard.simulator;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;

/// A client and the API functions it calls: it submits, submits again with the same key, reads,
/// follows with a cursor it drops and picks up, and cancels. It remembers what it was promised.
final class ClientActor implements Actor {
  static final String TENANT = "default";
  static final SubmitRun.By BY = new SubmitRun.By(TENANT, "client");
  private static final int THREADS_DICE = 6;
  private static final int RUNS_MAX = 4;

  private static final int FUNCTION_SECONDS = 15;

  /// A first chunk has room for it.
  private static final int PROMPT_BYTES = 200 * 1024;

  private final SimulatedCaller caller = new SimulatedCaller(Role.API, FUNCTION_SECONDS);
  private final SubmitRun submit;
  private final CancelRun cancel;
  private final Talk talk;
  private final Sessions sessions;
  private final RunLog reads;
  private final EventLog log;
  private final InstantSource clock;
  private final Alarms alarms;
  private final Random random;
  private final Promises promises;
  private final Map<RunKey, EventCursor<StoredEvent>> cursors = new HashMap<>();
  private final Map<RunKey, List<StoredEvent>> followed = new HashMap<>();
  private final OtherSystems others;
  private final boolean lasting;
  private final boolean large;
  private int acts;
  private Instant next;

  ClientActor(SimulatedSystem system, Promises promises, Random random, int acts) {
    this.others = system.others();
    this.lasting = system.setting().lasting();
    FaultyPorts ports = system.ports(caller);
    UseCases api = system.useCases(ports, system.skewed(), "api");
    this.submit = api.submitRun();
    this.cancel = api.cancelRun();
    this.talk = Talk.of(api, promises, random);
    this.large = system.setting().large();
    if (large) {
      talk.enlarge();
    }
    ProjectRun project = api.projectForReader();
    this.sessions = new Sessions(api.sessionHistory(), system.tells(project), api.runs(), promises);
    this.reads = api.runs();
    this.log = ports.events();
    this.clock = system.clock();
    this.alarms = system.alarms();
    this.promises = promises;
    this.random = random;
    this.acts = acts;
    this.next = clock.instant();
  }

  /// It has said and asked all it wanted.
  boolean done() {
    return acts == 0;
  }

  Map<RunKey, List<StoredEvent>> followed() {
    return followed;
  }

  Sessions sessions() {
    return sessions;
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return done() ? Instant.MAX : next;
  }

  /// Once more without a pause, when all is at rest.
  void look() {
    acts = 0;
    act(9);
  }

  @Override
  public void act() {
    acts--;
    next = clock.instant().plus(pause());
    try {
      act(random.nextInt(19));
    } catch (PortUnavailable _) {
      alarms.raise(Alarms.Alarm.SERVER_ERRORS);
    }
  }

  private Duration pause() {
    int dice = random.nextInt(100);
    return Duration.ofMillis(
        dice < 60 ? 1L + random.nextInt(300) : 1L + random.nextInt(dice < 95 ? 4_000 : 60_000));
  }

  private void act(int dice) {
    if (dice < 2) {
      submit();
    } else if (dice == 2) {
      known().ifPresent(this::cancel);
    } else if (dice < 6) {
      known().ifPresent(this::read);
    } else if (dice < 12) {
      known().ifPresent(large && dice < 11 ? talk::send : this::follow);
    } else if (dice < 16) {
      known().ifPresent(talk::decide);
    } else if (dice == 16) {
      known().ifPresent(sessions::read);
    } else {
      known().ifPresent(talk::send);
    }
  }

  @Override
  public void crashed() {}

  private Optional<RunKey> known() {
    List<RunKey> runs =
        promises.acknowledged.keySet().stream()
            .sorted(Comparator.comparing(RunKey::runId))
            .toList();
    return runs.isEmpty() ? Optional.empty() : Optional.of(runs.get(random.nextInt(runs.size())));
  }

  private void submit() {
    String name = "request-" + random.nextInt(RUNS_MAX);
    RunRequest request =
        promises.requests.computeIfAbsent(
            name, n -> large ? request(n) : others.telling(placed(n, request(n))));
    SubmitRun.Result result =
        submit.submit(BY, request, Optional.of(new SubmitRun.Key(name, "print-" + name)));
    switch (result) {
      case SubmitRun.Result.Accepted accepted -> {
        RunKey run = accepted.run().facts().run();
        String before = promises.answered.putIfAbsent(name, run.runId());
        if (before != null && !before.equals(run.runId())) {
          promises.violations.add(
              new Violation("I6", name + " made " + before + " and " + run.runId()));
        }
        promises.acknowledged.merge(run, accepted.run().sequence(), Math::max);
      }
      case SubmitRun.Result.Rejected rejected ->
          promises.violations.add(
              new Violation("I6", "a repeat was refused: " + rejected.problem()));
    }
    if (random.nextInt(8) == 0
        && submit.submit(BY, request, Optional.of(new SubmitRun.Key(name, "other")))
            instanceof SubmitRun.Result.Accepted) {
      promises.violations.add(
          new Violation("I6", "another request was accepted with the key of " + name));
    }
  }

  /// Sends something else with each key that has expired. It becomes a run of its own; a turn that
  /// has a name is the same for longer.
  void submitAgain() {
    for (String name : new TreeSet<>(promises.answered.keySet())) {
      RunRequest before = Objects.requireNonNull(promises.requests.get(name));
      boolean named = before.turnId().isPresent();
      RunRequest request = named ? before : request(name + " again");
      SubmitRun.Key key = new SubmitRun.Key(name, "print-" + name);
      SubmitRun.Result result = submit.submit(BY, request, Optional.of(key));
      if (result instanceof SubmitRun.Result.Accepted accepted) {
        RunKey run = accepted.run().facts().run();
        promises.acknowledged.merge(run, accepted.run().sequence(), Math::max);
        if (named != run.runId().equals(promises.answered.get(name))) {
          promises.violations.add(
              new Violation("I6", "long after %s, it is %s".formatted(name, run)));
        }
      } else {
        promises.violations.add(new Violation("I6", "long after %s: %s".formatted(name, result)));
      }
    }
  }

  private RunRequest request(String name) {
    Map<String, String> tags = new HashMap<>(Map.ofEntries(mode().tag()));
    tags.put("request", name);
    boolean fails = random.nextInt(8) == 0;
    if (fails) {
      tags.put(ScriptedAgents.FAILS, "always");
    }
    return new RunRequest(
            "echo",
            large
                ? Filler.of(name, random.nextInt(2) == 0 ? PROMPT_BYTES : PROMPT_BYTES / 20)
                : name,
            session(),
            Map.of(),
            List.of(),
            null,
            timeoutSeconds(),
            Map.of(),
            tags,
            retry(fails))
        .within(bounds());
  }

  /// Some requests name their turn, and some a thread, which begins with whichever comes first.
  private static RunRequest placed(String name, RunRequest request) {
    int dice = Math.floorMod(name.hashCode(), THREADS_DICE);
    String turn = dice % 2 == 0 ? name : null;
    return dice < 2
        ? request.inSession("").in(InThread.of("another", turn, null))
        : request.in(InThread.of(null, turn, null));
  }

  /// Some runs may take longer than a silent attempt is waited for.
  private int timeoutSeconds() {
    return lasting && random.nextInt(3) == 0
        ? 0
        : 20 + random.nextInt(random.nextInt(4) == 0 ? 2 * Limits.SILENT_SECONDS : 200);
  }

  private AgentMode mode() {
    AgentMode[] modes = AgentMode.values();
    int dice = random.nextInt(6);
    return dice < modes.length ? modes[dice] : AgentMode.REPLAYED;
  }

  /// A run that fails is mostly tried as often as may be.
  private RetryPolicy retry(boolean fails) {
    if (fails) {
      return new RetryPolicy(
          1 + random.nextInt(RetryPolicy.ATTEMPTS_MAX), List.of("*"), random.nextInt(2));
    }
    return random.nextInt(3) == 0
        ? new RetryPolicy(3, List.of("*"), random.nextInt(20))
        : RetryPolicy.NEVER;
  }

  /// Half of the runs have tokens for one or two answers, or an agent that is soon taken for idle.
  private RunBounds bounds() {
    return random.nextBoolean()
        ? RunBounds.NONE
        : new RunBounds(
            null,
            12L + random.nextInt(40),
            null,
            15 + random.nextInt(60),
            lasting ? 0 : 10 + random.nextInt(90));
  }

  /// A session of its own, or the one that runs share.
  private String session() {
    return random.nextInt(3) == 0 ? "" : "session";
  }

  private void cancel(RunKey run) {
    promises.cancelWanted.add(run);
    switch (cancel.cancel(run, "client", BY.actor())) {
      case CancelRun.Result.Accepted accepted -> {
        promises.cancelled.add(run);
        promises.acknowledged.merge(run, accepted.run().sequence(), Math::max);
      }
      case CancelRun.Result.Rejected _ -> read(run);
    }
  }

  private void read(RunKey run) {
    RunState state = reads.load(run);
    long promised = promises.acknowledged.getOrDefault(run, 0L);
    if (state.sequence() < promised) {
      promises.violations.add(
          new Violation("I5", "read %d of %s after %d".formatted(state.sequence(), run, promised)));
    }
    promises.acknowledged.merge(run, state.sequence(), Math::max);
  }

  private void follow(RunKey run) {
    List<StoredEvent> seen = followed.computeIfAbsent(run, _ -> new ArrayList<>());
    long last = seen.isEmpty() ? 0 : seen.getLast().sequence();
    if (random.nextInt(4) == 0) {
      int drop = seen.isEmpty() ? 0 : random.nextInt(Math.min(3, seen.size() + 1));
      seen.subList(seen.size() - drop, seen.size()).clear();
      last -= drop;
      cursors.remove(run);
    }
    long from = last;
    seen.addAll(
        cursors
            .computeIfAbsent(run, key -> new EventCursor<>(log, EventCodec.RUNS, key, from))
            .next());
  }
}
