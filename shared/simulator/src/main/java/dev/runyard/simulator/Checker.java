package dev.runyard.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.ChainCheck;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.request.JobItem;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Checks the invariants on what is left after a history: the raw chunks, the read models, what the
/// agents told and what the clients were promised.
final class Checker {
  private static final int OVERDUE_SECONDS_MAX =
      SweepActor.PERIOD_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX;

  /// Until what failed in the end is done: a message comes back, and `sweep` runs.
  private static final int SETTLES_SECONDS_MAX = 130;

  private final SimulatedSystem system;
  private final SimulatedLog log;
  private final ReadModels models;
  private final ScriptedAgents agents;
  private final List<Map<RunKey, List<StoredEvent>>> followed;
  private final Sessions sessions;
  private final Promises promises;
  private final Instant quietSince;
  private final RightsOracle rights;
  private final List<Violation> violations = new ArrayList<>();

  /// @param followed what each client that follows runs was shown
  Checker(
      SimulatedSystem system,
      List<Map<RunKey, List<StoredEvent>>> followed,
      Sessions sessions,
      Promises promises,
      Instant quietSince) {
    this.system = system;
    this.rights = new RightsOracle(system);
    this.log = system.log();
    this.models = system.models();
    this.agents = system.agents();
    this.followed = followed;
    this.sessions = sessions;
    this.promises = promises;
    this.quietSince = quietSince;
  }

  List<Violation> check() {
    Map<String, RunKey> byRequest = new HashMap<>();
    Map<String, List<RunKey>> completed = new TreeMap<>();
    for (RunKey run : log.runs()) {
      List<StoredEvent> events = log.events(run);
      if (!contiguous(run, events)) {
        continue;
      }
      endsOnce(run, events);
      attempts(run, events);
      RunState.Existing state = fold(run, log.whole(run));
      if (state != null) {
        ended(run, state);
        bounded(run, state);
        if (state instanceof RunState.Completed && run.tenant().equals(ClientActor.TENANT)) {
          completed
              .computeIfAbsent(state.facts().request().sessionId(), _ -> new ArrayList<>())
              .add(run);
        }
        violations.addAll(new TalkChecker(promises, agents).check(run, events, state));
        violations.addAll(AsideOracle.check(run, events));
        system.stores().check(events);
        violations.addAll(system.oracle().check(events, state, cancelWanted(run, state)));
        sameSnapshot(run, state);
        String request = requested(state);
        RunKey other = byRequest.put(request, run);
        expect(other == null, "I6", "%s made %s and %s", request, run, other);
      }
      for (Map<RunKey, List<StoredEvent>> shown : followed) {
        List<StoredEvent> seen = shown.getOrDefault(run, List.of());
        expect(
            seen.equals(events.subList(0, Math.min(seen.size(), events.size()))),
            "I9",
            "a follower of %s saw something else",
            run);
      }
    }
    violations.addAll(OrderOracle.check(log.changes(), promises.behind));
    violations.addAll(ThreadOracle.check(log, !system.setting().refused()));
    violations.addAll(JobOracle.check(system, promises.concurrency, rights));
    violations.addAll(TaskOracle.check(system, rights));
    violations.addAll(PlacesOracle.check(log.changes(), system.setting()));
    violations.addAll(system.memories().check(log.changes()));
    violations.addAll(system.stores().violations());
    violations.addAll(system.lives().violations());
    violations.addAll(system.models().violations());
    violations.addAll(system.orphans().check());
    violations.addAll(system.others().check(rights));
    violations.addAll(system.deadLetters().check());
    if (system.faults().kinds().isEmpty()) {
      violations.addAll(system.meter().check());
    }
    violations.addAll(pace().check(log.changes()));
    keptUp();
    completed.values().forEach(runs -> runs.sort(Comparator.comparing(RunKey::runId)));
    violations.addAll(system.runners().oracle().check(Set.copyOf(log.runs())));
    if (system.setting().refused()) {
      violations.addAll(rights.check(rested(), Set.copyOf(log.runs())));
    } else {
      sessions.check(log, completed);
    }
    violations.addAll(promises.violations);
    for (RunKey run : promises.acknowledged.keySet()) {
      expect(log.runs().contains(run), "I1", "accepted run %s is not in the log", run);
    }
    expect(agents.startedTwice().isEmpty(), "I4", "started twice: %s", agents.startedTwice());
    return violations;
  }

  private boolean cancelWanted(RunKey run, RunState.Existing state) {
    JobItem item = state.facts().request().item();
    return promises.cancelWanted.contains(run)
        || (item != null && JobOracle.stops(log, new JobKey(run.tenant(), item.jobId())))
        || TaskOracle.stops(log, state);
  }

  /// What became no more than one run: a client's request, or an attempt of an item. Which runs a
  /// task has says its log.
  private static String requested(RunState.Existing state) {
    JobItem item = state.facts().request().item();
    return item == null
        ? state.facts().request().tags().getOrDefault("request", state.facts().run().runId())
        : item.toString();
  }

  /// Where no fault delays more than one run, no stream function falls behind.
  private void keptUp() {
    boolean calm = system.faults().calm() && !system.setting().refused();
    expect(
        !calm || !system.alarms().raised(Alarms.Alarm.LAG),
        "pace",
        "a stream function fell behind; faults %s",
        system.faults().kinds());
  }

  /// A run that completed kept its bound, and one that was stopped by it had crossed it.
  private void bounded(RunKey run, RunState.Existing state) {
    Long most = state.facts().request().bounds().maxTokens();
    if (most == null) {
      return;
    }
    boolean crossed = state.facts().usage().tokens() > most;
    boolean stopped =
        state instanceof RunState.Failed failed
            && failed.error().code().equals(Failure.MAX_TOKENS_REACHED);
    expect(
        crossed ? !(state instanceof RunState.Completed) : !stopped,
        "bounds",
        "%s used %s of %d tokens",
        run,
        state.facts().usage(),
        most);
  }

  private boolean contiguous(RunKey run, List<StoredEvent> events) {
    long expected = 1;
    for (StoredEvent event : events) {
      if (event.sequence() != expected++) {
        violations.add(
            new Violation("I2", "%s has event %d twice or a gap".formatted(run, event.sequence())));
        return false;
      }
    }
    return true;
  }

  private void endsOnce(RunKey run, List<StoredEvent> events) {
    long terminal = events.stream().filter(event -> terminal(event.event())).count();
    expect(terminal <= 1, "I3", "%s has %d terminal events", run, terminal);
    expect(
        terminal == 0 || terminal(events.getLast().event()),
        "I3",
        "%s goes on after its terminal event",
        run);
  }

  private static boolean terminal(RunEvent event) {
    return event instanceof RunEvent.Terminal;
  }

  private void attempts(RunKey run, List<StoredEvent> events) {
    String current = "";
    Map<String, List<RunEvent>> logged = new HashMap<>();
    Map<String, Boolean> reported = new HashMap<>();
    for (StoredEvent stored : events) {
      RunEvent event = stored.event();
      if (event instanceof RunEvent.AttemptStarted started) {
        current = started.attemptId();
      } else if (event instanceof RunEvent.ModelDelta delta) {
        String writer = delta.text().substring(0, delta.text().indexOf('/'));
        expect(writer.equals(current), "I4", "%s wrote after %s had claimed", writer, current);
        logged.computeIfAbsent(writer, _ -> new ArrayList<>()).add(event);
      } else if (event instanceof RunEvent.CostRecorded
          || event instanceof RunEvent.OutputSpilled
          || event instanceof RunEvent.OutputTruncated
          || event instanceof RunEvent.ModelCompleted) {
        logged.computeIfAbsent(current, _ -> new ArrayList<>()).add(event);
      } else if (event instanceof RunEvent.ProcessCompleted) {
        reported.put(current, true);
      }
    }
    for (Map.Entry<String, ScriptedAgent> agent : agents.byAttempt().entrySet()) {
      List<RunEvent> there = logged.getOrDefault(agent.getKey(), List.of());
      List<RunEvent> told = agent.getValue().told();
      if (reported.containsKey(agent.getKey())) {
        expect(there.equals(told), "I1", "%s of %s lost output", agent.getKey(), run);
      } else if (!there.isEmpty()) {
        expect(
            there.size() <= told.size() && there.equals(told.subList(0, there.size())),
            "I2",
            "%s of %s is out of order",
            agent.getKey(),
            run);
      }
    }
  }

  private RunState.@Nullable Existing fold(RunKey run, List<Chunk> chunks) {
    ChainCheck check = new ChainCheck();
    try {
      RunState state = RunState.absent();
      for (Chunk chunk : chunks) {
        check.follow(ChainCheck.Link.of(chunk));
        state = RunLog.behind(state, chunk);
      }
      expect(
          check.broken().isEmpty() && check.unlinked() == 0,
          "I12",
          "the chain of %s is broken: %s, %d without a link",
          run,
          check.broken(),
          check.unlinked());
      return (RunState.Existing) state;
    } catch (IllegalStateException e) {
      violations.add(new Violation("I3", run + " does not fold: " + e.getMessage()));
      return null;
    }
  }

  private void ended(RunKey run, RunState.Existing state) {
    boolean refused = system.setting().refused();
    if (!(state instanceof RunState.Closed closed)) {
      expect(
          refused && rights.visible(state),
          "I8",
          "%s never ended: %s; missing %s",
          run,
          state.phase(),
          system.faults().missing());
      return;
    }
    Instant deadline = state.facts().deadline();
    if (deadline != null && !refused) {
      Instant overdue = deadline.plusSeconds(OVERDUE_SECONDS_MAX);
      Instant settled = quietSince.plusSeconds(SETTLES_SECONDS_MAX);
      Instant latest = overdue.isAfter(settled) ? overdue : settled;
      Instant end = closed.finishedAt().minus(system.skewMax());
      expect(
          !end.isAfter(latest)
              || (state instanceof RunState.Failed
                  && leftOpen(run, closed.finishedAt())
                  && !end.isAfter(heardOf(state, overdue))),
          "I8",
          "%s ended at %s, its deadline was %s, faults ended at %s: %s",
          run,
          closed.finishedAt(),
          deadline,
          quietSince,
          log.events(run).stream().map(event -> event.timestamp() + " " + event.type()).toList());
    }
    if (promises.cancelled.contains(run)) {
      expect(
          state instanceof RunState.Cancelled,
          "I3",
          "%s was cancelled and is %s",
          run,
          state.phase());
    }
    if (state instanceof RunState.Completed done) {
      ScriptedAgent agent = agents.byAttempt().get(done.attempt().id());
      expect(agent != null && agent.gone(), "I3", "%s completed before its agent", run);
    }
    boolean lost =
        state instanceof RunState.Failed failed
            && failed.error().code().equals(Failure.RUNNER_LOST);
    if (state.facts().request().retry().maxAttempts() == 1) {
      long started =
          log.events(run).stream()
              .filter(event -> event.event() instanceof RunEvent.ProcessStarted)
              .count();
      expect(
          started <= 1 + state.facts().interactions().continuations(),
          "I4",
          "%s started its agent %d times (lost: %s)",
          run,
          started,
          lost);
    }
  }

  /// True when nobody told of the end of its last attempt, because its runner could not.
  private boolean leftOpen(RunKey run, Instant end) {
    LastAttempt last = LastAttempt.of(log.events(run));
    return last.end() == null && system.attempts().leftUnheard(last.id(), end);
  }

  /// Until when a function waits for a runner that may still be storing what the agent left.
  private static Instant heardOf(RunState.Existing state, Instant overdue) {
    Instant dead =
        state.facts().wroteAt().plusSeconds(SweepActor.PERIOD_SECONDS + Limits.SURELY_DEAD_SECONDS);
    Instant closing = overdue.plusSeconds(Limits.CLOSE_SECONDS_MAX);
    return dead.isBefore(closing) ? dead : closing;
  }

  private void sameSnapshot(RunKey run, RunState.Existing state) {
    if (system.setting().refused() && (!state.closed() || rights.keepsModelsOld())) {
      return;
    }
    Optional<RunState.Existing> model = models.snapshot(run);
    Optional<RunState.Existing> fold =
        Optional.of(SnapshotCodec.decode(SnapshotCodec.encode(state)));
    expect(model.equals(fold), "I5", "%s: read model %s, log %s", run, model, fold);
  }

  /// How long the faults have been off.
  private Duration rested() {
    return Duration.between(quietSince, system.now());
  }

  private PaceOracle pace() {
    return new PaceOracle(system.faults(), system.attempts(), system.setting(), system.skewMax());
  }

  private void expect(boolean holds, String invariant, String detail, @Nullable Object... values) {
    if (!holds) {
      violations.add(new Violation(invariant, detail.formatted(values)));
    }
  }
}
