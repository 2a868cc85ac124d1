package dev.runyard.core.job;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamState;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The state of a job, folded from its events.
public sealed interface JobState extends StreamState {
  /// How long after its newest event `sweep` looks at a job whose items run.
  int CHECK_SECONDS = 60;

  /// No event yet.
  record Absent() implements JobState {
    @Override
    public String phase() {
      return "absent";
    }
  }

  /// A job that exists.
  sealed interface Existing extends JobState {
    JobFacts facts();

    JobStatus status();

    @Override
    default String phase() {
      return status().wire();
    }
  }

  /// A job that has not ended.
  record Open(JobFacts facts) implements Existing {
    @Override
    public JobStatus status() {
      if (facts.stop() != null) {
        return JobStatus.CANCELLING;
      }
      if (facts.startedAt() == null) {
        return JobStatus.CREATED;
      }
      return facts.items().moves() || facts.items().failed().isEmpty()
          ? JobStatus.RUNNING
          : JobStatus.BLOCKED;
    }

    /// True while items may start.
    boolean starts() {
      return facts.stop() == null && facts.startedAt() != null;
    }
  }

  /// A job that has ended: its log takes no further event.
  ///
  /// @param error why it failed or was cancelled; null if it was completed
  record Closed(JobFacts facts, JobStatus status, @Nullable Failure error, Instant finishedAt)
      implements Existing {}

  static JobState absent() {
    return new Absent();
  }

  @Override
  default long sequence() {
    return switch (this) {
      case Absent _ -> 0;
      case Existing job -> job.facts().sequence();
    };
  }

  @Override
  default boolean closed() {
    return this instanceof Closed;
  }

  @Override
  default Optional<Chain> chain() {
    return switch (this) {
      case Absent _ -> Optional.empty();
      case Existing job -> Optional.ofNullable(job.facts().chain());
    };
  }

  /// When the job is looked at though nobody told of a change; empty when that is never needed.
  default Optional<Instant> dueAt() {
    return switch (this) {
      case Absent _, Closed _ -> Optional.empty();
      case Open job -> {
        Optional<Instant> deadline = job.facts().deadline();
        boolean moves = job.facts().stop() != null || job.facts().items().moves();
        yield deadline.isEmpty() && job.facts().stop() == null
            ? Optional.empty()
            : moves
                ? Optional.of(job.facts().at().plusSeconds(CHECK_SECONDS))
                    .map(at -> deadline.filter(at::isAfter).orElse(at))
                : deadline;
      }
    };
  }
}
