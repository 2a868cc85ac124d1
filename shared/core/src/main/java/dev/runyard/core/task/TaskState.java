package dev.runyard.core.task;

import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The state of a task, folded from its events.
///
/// ```
/// Absent   → Open
/// Open     → Ended
/// Ended    → Open, Archived
/// ```
public sealed interface TaskState extends StreamState {
  /// How long after its newest event `sweep` looks at a task that goes on by itself, and how often
  /// from then on.
  int CHECK_SECONDS = 600;

  /// The same for one that is cancelled, or of which an edge is being looked at.
  int STEP_SECONDS = 60;

  /// No event yet.
  record Absent() implements TaskState {
    @Override
    public String phase() {
      return "absent";
    }
  }

  /// A task that exists.
  sealed interface Existing extends TaskState {
    TaskFacts facts();

    default TaskStatus status() {
      return facts().status();
    }

    @Override
    default String phase() {
      return status().wire();
    }
  }

  /// A task that is not over.
  record Open(TaskFacts facts) implements Existing {}

  /// A task that is over. If it failed, it may be tried again.
  record Ended(TaskFacts facts) implements Existing {}

  /// A task that was put away: its log takes no further event.
  record Archived(TaskFacts facts) implements Existing {}

  static TaskState absent() {
    return new Absent();
  }

  /// The state that these facts are of.
  static Existing of(TaskFacts facts) {
    if (facts.archived()) {
      return new Archived(facts);
    }
    return facts.ended() == null ? new Open(facts) : new Ended(facts);
  }

  @Override
  default long sequence() {
    return switch (this) {
      case Absent _ -> 0;
      case Existing task -> task.facts().sequence();
    };
  }

  @Override
  default boolean closed() {
    return this instanceof Archived;
  }

  @Override
  default Optional<Chain> chain() {
    return switch (this) {
      case Absent _ -> Optional.empty();
      case Existing task -> Optional.ofNullable(task.facts().chain());
    };
  }

  private static boolean moves(TaskFacts task, TaskAttempt run) {
    return task.paused() == null || run.status() != TaskStatus.PAUSED;
  }

  /// When the task is looked at though nobody told of a change; empty when that is never needed.
  default Optional<Instant> dueAt() {
    return this instanceof Existing task
        ? pace().map(pace -> task.facts().at().plus(pace))
        : Optional.empty();
  }

  /// How long after its newest event it is looked at, and how long after that again; empty when
  /// that is never needed.
  default Optional<Duration> pace() {
    return switch (this) {
      case Absent _, Archived _ -> Optional.empty();
      case Ended(TaskFacts facts) ->
          facts.pending().isEmpty()
              ? Optional.empty()
              : Optional.of(Duration.ofSeconds(STEP_SECONDS));
      case Open(TaskFacts facts) -> {
        if (facts.cancel() != null || !facts.pending().isEmpty() || facts.startable()) {
          yield Optional.of(Duration.ofSeconds(STEP_SECONDS));
        }
        boolean held = facts.heldAt() > 0 && facts.paused() == null;
        boolean waits = held || !facts.blockers().isEmpty();
        boolean moves = waits || facts.active().anyMatch(run -> moves(facts, run));
        yield moves ? Optional.of(Duration.ofSeconds(CHECK_SECONDS)) : Optional.empty();
      }
    };
  }
}
