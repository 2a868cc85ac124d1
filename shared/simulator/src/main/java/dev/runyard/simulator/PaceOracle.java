package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Asks whether runs move on when they should. Where nothing goes wrong, nobody waits for `sweep`
/// to make good what a function did not do; a runner that died is missed soon; an attempt begins
/// when it was queued for, and not before.
final class PaceOracle {
  /// What functions and runners need from one step of a run to the next.
  private static final Duration STEP_MAX = Duration.ofSeconds(10);

  /// A lease, the time a copy of the message is delayed for, and one more of each for another that
  /// dies on the way.
  private static final Duration MISSED_MAX = Duration.ofMinutes(3);

  /// The same if another runner has to be started first, each time.
  private static final Duration RESTARTED_MAX = Duration.ofMinutes(8);

  /// What passes from the end of a run to the next turn of its thread, where one call is the only
  /// one that goes wrong: a lease, if that of a runner did.
  private static final Duration TURN_MAX = STEP_MAX.plusSeconds(Limits.LEASE_SECONDS);

  /// Until the message of a run is sent by `sweep` whose submit went wrong.
  private static final Duration SENT_MAX = STEP_MAX.plusSeconds(Limits.RESEND_SECONDS + 60L);

  /// The time for a runner to come up, and for `sweep` to notice that one is missing.
  private static final Duration COMES_MAX = Duration.ofSeconds(110);

  private final Faults faults;
  private final AttemptHits attempts;
  private final Setting setting;
  private final Duration skew;
  private final Set<RunKey> placed = new HashSet<>();
  private final List<Violation> violations = new ArrayList<>();
  private Instant freedAt = Instant.MIN;

  /// When a run last gave up its place among those of its tenant.
  private Instant leftAt = Instant.MIN;

  /// @param skew how far two clocks may be apart
  PaceOracle(Faults faults, AttemptHits attempts, Setting setting, Duration skew) {
    this.faults = faults;
    this.attempts = attempts;
    this.setting = setting;
    this.skew = skew;
  }

  List<Violation> check(List<Chunk> changes) {
    Map<RunKey, Run> runs = new HashMap<>();
    Map<String, Instant> ended = new HashMap<>();
    Set<String> poisoned = new HashSet<>();
    for (Chunk chunk : changes) {
      for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
        Run run = runs.computeIfAbsent(stored.run(), _ -> new Run());
        String session = stored.turn().threadId();
        if (faults.poisoned(stored.run())) {
          poisoned.add(session);
        }
        boolean calm = faults.calm() && !poisoned.contains(session);
        if (stored.event() instanceof RunEvent.AttemptStarted started) {
          begins(run, stored);
          if (calm) {
            soon(run, ended.get(session), stored);
          } else if (faults.single()) {
            nextTurn(run, ended.get(session), stored);
          }
          run.attemptId = started.attemptId();
        } else if (calm && run.exitedAt != null) {
          prompt(run.exitedAt, STEP_MAX, stored);
        } else if (calm && poisoned.isEmpty() && run.leavesHold(stored.event())) {
          prompt(latest(run.heldAt, leftAt), STEP_MAX, stored);
        }
        if (faults.gentle()) {
          missed(run, stored);
        }
        run.saw(stored);
        places(stored);
        if (stored.event() instanceof RunEvent.Terminal
            || stored.event() instanceof RunEvent.TaskPaused) {
          leftAt = stored.timestamp();
        }
        if (chunk.closed()) {
          ended.put(session, stored.timestamp());
        }
      }
    }
    return List.copyOf(violations);
  }

  /// Who waits while all places are taken has waited since one became free.
  private void places(StoredEvent stored) {
    switch (stored.event()) {
      case RunEvent.AttemptStarted _ -> placed.add(stored.run());
      case RunEvent.AttemptEnd _, RunEvent.Terminal _ -> {
        boolean full = placed.size() >= setting.places();
        if (placed.remove(stored.run()) && full) {
          freedAt = stored.timestamp();
        }
      }
      case RunEvent.StateChange _,
          RunEvent.Output _,
          RunEvent.Interaction _,
          RunEvent.Notice _ -> {}
    }
  }

  /// Each attempt was queued, and begins after its pause.
  private void begins(Run run, StoredEvent started) {
    Instant due = run.due;
    expect(due != null, started, "begins an attempt that was not queued");
    if (due != null) {
      Instant soonest = due.minus(skew);
      expect(!started.timestamp().isBefore(soonest), started, "begins an attempt before " + due);
    }
  }

  /// @param before when the last run of its session ended
  private void soon(Run run, @Nullable Instant before, StoredEvent attempt) {
    Instant due = run.due;
    if (due != null) {
      Duration most = setting.started() ? STEP_MAX.plus(COMES_MAX) : STEP_MAX;
      prompt(latest(due, latest(before == null ? due : before, freedAt)), most, attempt);
    }
  }

  /// Whose turn it is does not wait for its own next check, of which each comes later than the one
  /// before.
  ///
  /// @param before when the last run of its session ended
  private void nextTurn(Run run, @Nullable Instant before, StoredEvent attempt) {
    Instant due = run.due;
    if (due != null && before != null) {
      prompt(latest(due.plus(SENT_MAX), before.plus(TURN_MAX)), Duration.ZERO, attempt);
    }
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private void prompt(Instant since, Duration most, StoredEvent next) {
    expect(
        !next.timestamp().isAfter(since.plus(most)),
        next,
        "waited since %s for what comes at %s".formatted(since, next.timestamp()));
  }

  /// An attempt whose runner died is over soon.
  private void missed(Run run, StoredEvent stored) {
    Optional<Instant> died = run.attemptId.isEmpty() ? Optional.empty() : died(run.attemptId);
    if (run.exitedAt == null && died.isPresent()) {
      expect(
          !stored
              .timestamp()
              .isAfter(died.get().plus(setting.started() ? RESTARTED_MAX : MISSED_MAX)),
          stored,
          "was not missed since its runner died at " + died.get());
    }
  }

  private Optional<Instant> died(String attemptId) {
    return attempts.caller(attemptId).flatMap(caller -> caller.first(Fault.CRASH));
  }

  private void expect(boolean holds, StoredEvent at, String detail) {
    if (!holds) {
      violations.add(
          new Violation(
              "pace",
              "%s, %s %d: %s; faults %s"
                  .formatted(at.run().runId(), at.type(), at.sequence(), detail, faults.kinds())));
    }
  }

  /// A run as far as its events were seen.
  private static final class Run {
    private String attemptId = "";
    private @Nullable Instant due;
    private @Nullable Instant exitedAt;
    private Instant heldAt = Instant.MAX;

    /// True for the event by which a run that was held has a place.
    boolean leavesHold(RunEvent event) {
      return !heldAt.equals(Instant.MAX)
          && event instanceof RunEvent.TaskQueued queued
          && queued.behind() == null;
    }

    /// A run that is queued once more, because its message was lost or its turn has come, has
    /// waited all along, but not if it was held for its tenant.
    void saw(StoredEvent stored) {
      switch (stored.event()) {
        case RunEvent.TaskQueued queued -> {
          exitedAt = null;
          due =
              due == null || leavesHold(queued)
                  ? stored.timestamp().plusSeconds(queued.delaySeconds())
                  : due;
          boolean holds = RunState.Waiting.HELD.equals(queued.behind());
          heldAt = holds ? stored.timestamp() : Instant.MAX;
        }
        case RunEvent.AttemptStarted _ -> exitedAt = null;
        case RunEvent.AttemptCompleted _, RunEvent.AttemptFailed _ -> {
          attemptId = "";
          due = null;
          exitedAt = stored.timestamp();
        }
        case RunEvent.TaskPaused _ -> {
          due = null;
          attemptId = "";
        }
        case RunEvent.TaskUpdated _ -> due = null;
        case RunEvent.TaskRetrying _ -> exitedAt = null;
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }
}
