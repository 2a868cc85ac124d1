package dev.runyard.testkit.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final Faults faults;
  private final FailureOracle oracle;
  private final List<Violation> violations = new ArrayList<>();

  PaceOracle(Faults faults, FailureOracle oracle) {
    this.faults = faults;
    this.oracle = oracle;
  }

  List<Violation> check(List<Chunk> changes) {
    boolean calm = faults.kinds().isEmpty();
    Map<RunKey, Run> runs = new HashMap<>();
    Map<String, Instant> ended = new HashMap<>();
    for (Chunk chunk : changes) {
      for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
        Run run = runs.computeIfAbsent(stored.run(), _ -> new Run());
        String session = stored.sessionId();
        if (stored.event() instanceof RunEvent.AttemptStarted started) {
          begins(run, stored);
          if (calm) {
            soon(run, ended.get(session), stored);
          }
          run.attemptId = started.attemptId();
        } else if (calm && run.exitedAt != null) {
          prompt(run.exitedAt, stored);
        }
        if (faults.gentle()) {
          missed(run, stored);
        }
        run.saw(stored);
        if (chunk.closed()) {
          ended.put(session, stored.timestamp());
        }
      }
    }
    return List.copyOf(violations);
  }

  /// Each attempt was queued, and begins after its pause. Where things go wrong, a copy of an
  /// earlier message may begin it early.
  private void begins(Run run, StoredEvent started) {
    Instant due = run.due;
    expect(due != null, started, "begins an attempt that was not queued");
    if (due != null && faults.kinds().isEmpty()) {
      expect(!started.timestamp().isBefore(due), started, "begins an attempt before " + due);
    }
  }

  /// @param before when the last run of its session ended
  private void soon(Run run, @Nullable Instant before, StoredEvent started) {
    Instant due = run.due;
    if (due != null) {
      prompt(before != null && before.isAfter(due) ? before : due, started);
    }
  }

  private void prompt(Instant since, StoredEvent next) {
    expect(
        !next.timestamp().isAfter(since.plus(STEP_MAX)),
        next,
        "waited since %s for what comes at %s".formatted(since, next.timestamp()));
  }

  /// An attempt whose runner died is over soon.
  private void missed(Run run, StoredEvent stored) {
    Optional<Instant> died = run.attemptId.isEmpty() ? Optional.empty() : died(run.attemptId);
    if (run.exitedAt == null && died.isPresent()) {
      expect(
          !stored.timestamp().isAfter(died.get().plus(MISSED_MAX)),
          stored,
          "was not missed since its runner died at " + died.get());
    }
  }

  private Optional<Instant> died(String attemptId) {
    return oracle.caller(attemptId).flatMap(caller -> caller.first(Fault.CRASH));
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

    /// A run that is queued once more, because its message was lost or its turn has come, has
    /// waited all along.
    void saw(StoredEvent stored) {
      switch (stored.event()) {
        case RunEvent.TaskQueued queued -> {
          exitedAt = null;
          due = due == null ? stored.timestamp().plusSeconds(queued.delaySeconds()) : due;
        }
        case RunEvent.AttemptStarted _ -> exitedAt = null;
        case RunEvent.AttemptCompleted _, RunEvent.AttemptFailed _ -> {
          due = null;
          exitedAt = stored.timestamp();
        }
        case RunEvent.TaskPaused _ -> {
          due = null;
          attemptId = "";
        }
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }
}
