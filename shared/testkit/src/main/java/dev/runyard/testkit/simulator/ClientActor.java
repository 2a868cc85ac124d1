package dev.runyard.testkit.simulator;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RetryPolicy;
import dev.runyard.core.run.RunBounds;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// A client and the API functions it calls: it submits, submits again with the same key, reads,
/// follows with a cursor it drops and picks up, and cancels. It remembers what it was promised.
final class ClientActor implements Actor {
  static final String TENANT = "default";
  private static final int RUNS_MAX = 4;

  private final SubmitRun submit;
  private final CancelRun cancel;
  private final Talk talk;
  private final Sessions sessions;
  private final RunLog reads;
  private final EventLog log;
  private final InstantSource clock;
  private final Random random;
  private final Map<String, RunRequest> requests = new HashMap<>();
  private final Map<String, String> answered = new HashMap<>();
  private final Map<RunKey, Long> acknowledged = new HashMap<>();
  private final Set<RunKey> cancelled = new HashSet<>();
  private final Map<RunKey, List<StoredEvent>> followed = new HashMap<>();
  private final Map<RunKey, EventCursor> cursors = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();
  private boolean quiet;

  ClientActor(
      SubmitRun submit,
      CancelRun cancel,
      Talk talk,
      Sessions sessions,
      RunLog reads,
      EventLog log,
      InstantSource clock,
      Random random) {
    this.submit = submit;
    this.cancel = cancel;
    this.talk = talk;
    this.sessions = sessions;
    this.reads = reads;
    this.log = log;
    this.clock = clock;
    this.random = random;
  }

  void quiet() {
    quiet = true;
  }

  Set<RunKey> acknowledged() {
    return acknowledged.keySet();
  }

  Set<RunKey> cancelled() {
    return cancelled;
  }

  Map<RunKey, List<StoredEvent>> followed() {
    return followed;
  }

  List<Violation> violations() {
    return violations;
  }

  @Override
  public Instant nextAt() {
    return clock.instant();
  }

  @Override
  public void act() {
    try {
      int dice = quiet ? 9 : random.nextInt(19);
      if (dice < 2) {
        submit();
      } else if (dice == 2) {
        known().ifPresent(this::cancel);
      } else if (dice < 6) {
        known().ifPresent(this::read);
      } else if (dice < 12) {
        known().ifPresent(this::follow);
      } else if (dice < 16) {
        known().ifPresent(talk::decide);
      } else if (dice == 16) {
        known().ifPresent(sessions::read);
      } else {
        known().ifPresent(talk::send);
      }
    } catch (PortUnavailable _) {
      return;
    }
  }

  @Override
  public void crashed() {}

  private Optional<RunKey> known() {
    List<RunKey> runs =
        acknowledged.keySet().stream().sorted(Comparator.comparing(RunKey::runId)).toList();
    return runs.isEmpty() ? Optional.empty() : Optional.of(runs.get(random.nextInt(runs.size())));
  }

  private void submit() {
    String name = "request-" + random.nextInt(RUNS_MAX);
    RunRequest request = requests.computeIfAbsent(name, this::request);
    SubmitRun.Result result =
        submit.submit(TENANT, request, Optional.of(new SubmitRun.Key(name, "print-" + name)));
    switch (result) {
      case SubmitRun.Result.Accepted accepted -> {
        RunKey run = accepted.run().facts().run();
        String before = answered.putIfAbsent(name, run.runId());
        if (before != null && !before.equals(run.runId())) {
          violations.add(new Violation("I6", name + " made " + before + " and " + run.runId()));
        }
        acknowledged.merge(run, accepted.run().sequence(), Math::max);
      }
      case SubmitRun.Result.Rejected rejected ->
          violations.add(new Violation("I6", "a repeat was refused: " + rejected.problem()));
    }
    if (random.nextInt(8) == 0
        && submit.submit(TENANT, request, Optional.of(new SubmitRun.Key(name, "other")))
            instanceof SubmitRun.Result.Accepted) {
      violations.add(new Violation("I6", "another request was accepted with the key of " + name));
    }
  }

  private RunRequest request(String name) {
    RetryPolicy retry =
        random.nextInt(3) == 0
            ? new RetryPolicy(3, List.of("*"), random.nextInt(20))
            : RetryPolicy.NEVER;
    return new RunRequest(
            "echo",
            name,
            session(),
            Map.of(),
            List.of(),
            null,
            20 + random.nextInt(200),
            Map.of(),
            Map.of("request", name),
            retry)
        .within(bounds());
  }

  /// Half of the runs have tokens for one or two answers, or an agent that is soon taken for idle.
  private RunBounds bounds() {
    return random.nextBoolean()
        ? RunBounds.NONE
        : new RunBounds(
            null, 12L + random.nextInt(40), null, 15 + random.nextInt(60), 10 + random.nextInt(90));
  }

  /// A session of its own, or the one that runs share.
  private String session() {
    return random.nextInt(3) == 0 ? "" : "session";
  }

  private void cancel(RunKey run) {
    switch (cancel.cancel(run, "client")) {
      case CancelRun.Result.Accepted accepted -> {
        cancelled.add(run);
        acknowledged.merge(run, accepted.run().sequence(), Math::max);
      }
      case CancelRun.Result.Rejected _ -> read(run);
    }
  }

  private void read(RunKey run) {
    RunState state = reads.load(run);
    long promised = acknowledged.getOrDefault(run, 0L);
    if (state.sequence() < promised) {
      violations.add(
          new Violation("I5", "read %d of %s after %d".formatted(state.sequence(), run, promised)));
    }
    acknowledged.merge(run, state.sequence(), Math::max);
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
    seen.addAll(cursors.computeIfAbsent(run, key -> new EventCursor(log, key, from)).next());
  }
}
