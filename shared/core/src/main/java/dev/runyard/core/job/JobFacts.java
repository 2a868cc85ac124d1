package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.stream.Chain;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What every state of a job contains.
///
/// @param actor who created it, and in whose name its items run
/// @param sequence of the newest event folded in
/// @param at the time of that event
/// @param stop why no further item starts; null while they may
/// @param chain as [dev.runyard.core.stream.StreamState#chain] has it
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobFacts(
    JobKey job,
    @Nullable String actor,
    JobTerms terms,
    Instant createdAt,
    @Nullable Instant startedAt,
    long sequence,
    Instant at,
    JobProgress items,
    JobUsage usage,
    @Nullable Failure stop,
    @Nullable Chain chain) {
  public JobFacts {
    Objects.requireNonNull(job);
    Objects.requireNonNull(terms);
    Objects.requireNonNull(items);
    Objects.requireNonNull(usage);
  }

  JobFacts after(StoredJobEvent stored) {
    return new JobFacts(
        job,
        actor,
        terms,
        createdAt,
        startedAt,
        stored.sequence(),
        stored.timestamp(),
        items,
        usage,
        stop,
        null);
  }

  JobFacts with(JobProgress progress) {
    return new JobFacts(
        job, actor, terms, createdAt, startedAt, sequence, at, progress, usage, stop, chain);
  }

  JobFacts used(JobUsage more) {
    return new JobFacts(
        job,
        actor,
        terms,
        createdAt,
        startedAt,
        sequence,
        at,
        items,
        usage.plus(more),
        stop,
        chain);
  }

  JobFacts startedNow() {
    return new JobFacts(job, actor, terms, createdAt, at, sequence, at, items, usage, stop, chain);
  }

  JobFacts stopping(Failure why) {
    return new JobFacts(
        job, actor, terms, createdAt, startedAt, sequence, at, items, usage, why, chain);
  }

  JobFacts chained(@Nullable Chain followed) {
    return new JobFacts(
        job, actor, terms, createdAt, startedAt, sequence, at, items, usage, stop, followed);
  }

  /// When its time is over; empty before its start.
  public Optional<Instant> deadline() {
    return Optional.ofNullable(startedAt)
        .map(started -> started.plusSeconds(terms.runtimeSeconds()));
  }
}
