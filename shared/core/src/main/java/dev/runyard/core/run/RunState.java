package dev.runyard.core.run;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The state of a run, folded from its events.
///
/// ```
/// Absent         → Created
/// Created        → InProgress, CancellingIdle, Failed
/// InProgress     → Retrying, Paused, Cancelling, Completed, Failed
/// Retrying       → InProgress, CancellingIdle, Failed
/// Paused         → Retrying, CancellingIdle, Failed
/// CancellingIdle → Cancelled
/// Cancelling     → Cancelled
/// ```
///
/// A run awaits a person while one of its actions is pending: `InProgress` with a running agent, or
/// `Paused`.
public sealed interface RunState extends StreamState {

  /// No event yet.
  record Absent() implements RunState {
    @Override
    public String phase() {
      return "absent";
    }
  }

  /// A run that exists.
  sealed interface Existing extends RunState {
    RunFacts facts();

    RunStatus status();

    /// The finer status of the Agent Runtime standard.
    @Override
    String phase();
  }

  /// A run that has not ended.
  sealed interface Open extends Existing {}

  /// A run that a runner has claimed; the attempt may have ended, and then `advance` decides.
  sealed interface Claimed extends Open {
    Attempt attempt();
  }

  /// A run that has ended: its log takes no further event.
  sealed interface Closed extends Existing {
    Instant finishedAt();
  }

  /// Waiting for a first runner.
  record Created(RunFacts facts, Waiting waiting) implements Open {
    @Override
    public RunStatus status() {
      return RunStatus.CREATED;
    }

    @Override
    public String phase() {
      return "queued";
    }
  }

  record InProgress(RunFacts facts, Attempt attempt) implements Claimed {
    /// True while a person is to decide something.
    public boolean awaiting() {
      return facts.interactions().awaiting();
    }

    @Override
    public RunStatus status() {
      return awaiting() ? RunStatus.AWAITING : RunStatus.IN_PROGRESS;
    }

    @Override
    public String phase() {
      if (awaiting()) {
        return waitingPhase(facts);
      }
      return attempt.stage() == Attempt.Stage.CLAIMED ? "preparing" : "running";
    }
  }

  /// Nothing runs: the attempt was paused while its agent waited for a person, or the run was put
  /// aside. Once everything is decided and it may go on, `advance` queues the run again.
  record Paused(RunFacts facts, Attempt last) implements Open {
    /// True while the run does not go on by itself.
    public boolean rests() {
      return facts.interactions().awaiting() || facts.putAside();
    }

    @Override
    public RunStatus status() {
      return facts.interactions().awaiting() ? RunStatus.AWAITING : RunStatus.IN_PROGRESS;
    }

    @Override
    public String phase() {
      if (facts.putAside()) {
        return "paused";
      }
      return facts.interactions().awaiting() ? waitingPhase(facts) : "queued";
    }
  }

  /// Between two attempts, waiting for a runner: the last one failed, or was paused and continues.
  record Retrying(RunFacts facts, Attempt last, Waiting waiting) implements Open {
    @Override
    public RunStatus status() {
      return RunStatus.IN_PROGRESS;
    }

    @Override
    public String phase() {
      return last.stage() == Attempt.Stage.PAUSED ? "queued" : "retrying";
    }
  }

  /// Cancelled before a runner had it, or between attempts: nothing runs.
  record CancellingIdle(RunFacts facts, String reason, Instant since) implements Open {
    @Override
    public RunStatus status() {
      return RunStatus.CANCELLING;
    }

    @Override
    public String phase() {
      return "cancelling";
    }
  }

  /// Cancelled while a runner has it.
  record Cancelling(RunFacts facts, Attempt attempt, String reason, Instant since)
      implements Claimed {
    @Override
    public RunStatus status() {
      return RunStatus.CANCELLING;
    }

    @Override
    public String phase() {
      return "cancelling";
    }
  }

  record Completed(RunFacts facts, Attempt attempt, Instant finishedAt) implements Closed {
    @Override
    public RunStatus status() {
      return RunStatus.COMPLETED;
    }

    @Override
    public String phase() {
      return "completed";
    }
  }

  /// `phase` distinguishes a plain failure from `timed_out` and `lost`.
  record Failed(
      RunFacts facts, Optional<Attempt> attempt, Failure error, String phase, Instant finishedAt)
      implements Closed {
    @Override
    public RunStatus status() {
      return RunStatus.FAILED;
    }
  }

  record Cancelled(RunFacts facts, Optional<Attempt> attempt, String reason, Instant finishedAt)
      implements Closed {
    @Override
    public RunStatus status() {
      return RunStatus.CANCELLED;
    }

    @Override
    public String phase() {
      return "cancelled";
    }
  }

  /// Since when a run waits for a runner, when its message was last sent and with which delay, and
  /// how often it was sent again. A run that waits for its turn has no message: it is checked again
  /// instead, and `behind` names the run of its session that it waits for, or is [#HELD].
  ///
  /// @param blocked why no runner starts for it, if none does
  record Waiting(
      Instant since,
      Instant sentAt,
      int delaySeconds,
      int resend,
      @Nullable String behind,
      @Nullable Blocked blocked) {
    /// Stands in `behind` of a run that waits for a place of its tenant.
    public static final String HELD = "tenant";

    /// True while the run waits for a place of its tenant.
    public boolean held() {
      return HELD.equals(behind);
    }

    Waiting blocked(Blocked why) {
      return new Waiting(since, sentAt, delaySeconds, resend, behind, why);
    }

    /// When its message can be received.
    public Instant startsAt() {
      return sentAt.plusSeconds(delaySeconds);
    }

    /// The rest of the pause before its next attempt. An older message may come earlier.
    public int pauseSeconds(Instant now) {
      long millis = delaySeconds == 0 ? 0 : Duration.between(now, startsAt()).toMillis();
      return (int) Math.ceilDiv(Math.max(0, millis), 1000L);
    }

    /// When its message is overdue and must be sent again: the pause doubles with each time.
    /// Whoever frees a place sends those that are held, and `sweep` makes good what it missed.
    public Instant resendAt() {
      long pause =
          held() ? Limits.RESEND_SECONDS_MAX : (long) Limits.RESEND_SECONDS << Math.min(resend, 20);
      return startsAt().plusSeconds(Math.min(pause, Limits.RESEND_SECONDS_MAX));
    }
  }

  /// Why a run cannot start: the cause that was recorded last, and when the first was.
  ///
  /// @param earlier the causes that were recorded before; null where there are none
  record Blocked(String cause, Failure error, Instant since, @Nullable List<String> earlier) {
    public Blocked {
      earlier = earlier == null ? null : List.copyOf(earlier);
    }

    /// Whether this cause was recorded since the run waits.
    boolean tells(String other) {
      return causes().anyMatch(other::equals);
    }

    /// After one more cause was recorded.
    Blocked then(String next, Failure why) {
      List<String> others = causes().filter(one -> !one.equals(next)).toList();
      return new Blocked(next, why, since, others.isEmpty() ? null : others);
    }

    private Stream<String> causes() {
      return Stream.concat(earlier == null ? Stream.of() : earlier.stream(), Stream.of(cause));
    }
  }

  /// Why no runner starts for the run, while it waits for one.
  default Optional<Blocked> blocked() {
    return switch (this) {
      case Created run -> Optional.ofNullable(run.waiting().blocked());
      case Retrying run -> Optional.ofNullable(run.waiting().blocked());
      case Absent _, InProgress _, Paused _, CancellingIdle _, Cancelling _, Closed _ ->
          Optional.empty();
    };
  }

  /// When the run may change by itself; empty when it never will.
  default Optional<Instant> dueAt() {
    return AdvanceRules.dueAt(this);
  }

  private static String waitingPhase(RunFacts facts) {
    return facts.interactions().pending().stream()
        .findFirst()
        .map(action -> action.actionType().phase())
        .orElse("running");
  }

  static RunState absent() {
    return new Absent();
  }

  @Override
  default long sequence() {
    return switch (this) {
      case Absent _ -> 0;
      case Existing run -> run.facts().sequence();
    };
  }

  @Override
  default Optional<Chain> chain() {
    return switch (this) {
      case Absent _ -> Optional.empty();
      case Existing run -> Optional.ofNullable(run.facts().chain());
    };
  }

  @Override
  default boolean closed() {
    return switch (this) {
      case Absent _, Open _ -> false;
      case Closed _ -> true;
    };
  }
}
