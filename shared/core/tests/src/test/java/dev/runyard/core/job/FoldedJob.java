package dev.runyard.core.job;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Jobs folded from the events that a test names, without a log. Each event is a second after the
/// one before it.
final class FoldedJob {
  static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");
  static final JobKey JOB = new JobKey("acme", "j1");

  private FoldedJob() {}

  /// The job that these terms and events make.
  static JobState.Existing of(JobTerms terms, JobEvent... events) {
    JobState state = next(JobState.absent(), new JobEvent.Created(terms));
    for (JobEvent event : events) {
      state = next(state, event);
    }
    return (JobState.Existing) state;
  }

  private static JobState next(JobState state, JobEvent event) {
    Instant at = AT.plusSeconds(state.sequence());
    return JobFold.evolve(
        state, new StoredJobEvent(JOB, "j1", state.sequence() + 1, at, event, null));
  }

  static JobTerms terms(int concurrency, OnFailed onFailed, @Nullable Integer seconds) {
    return new JobTerms("j1", concurrency, onFailed, seconds, null, null, "sent", null, null);
  }

  static JobEvent added(String key, int first, int count) {
    return new JobEvent.ItemsAdded(new ItemBatch("inputs-" + key, key, first, count, 100));
  }

  static String run(int item, int attempt) {
    return "019c0000-0000-7000-8%03d-%012d".formatted(attempt, item);
  }

  static JobEvent began(int item, int attempt) {
    return new JobEvent.ItemStarted(item, attempt, run(item, attempt), null);
  }

  static JobEvent completed(int item, int attempt) {
    return new JobEvent.ItemCompleted(item, attempt, run(item, attempt), null, JobUsage.NONE);
  }

  static JobEvent failed(int item, int attempt) {
    return new JobEvent.ItemFailed(
        item, attempt, run(item, attempt), null, JobUsage.NONE, error(Category.BACKEND), true);
  }

  static Failure error(Category category) {
    return new Failure("agent_failed", category, "It failed.");
  }
}
