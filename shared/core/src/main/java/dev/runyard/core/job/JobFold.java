package dev.runyard.core.job;

import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.stream.Chain;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What events make of a job.
public final class JobFold {
  private JobFold() {}

  /// The job after the event.
  ///
  /// @throws IllegalStateException when the event is not the next one, or follows the last
  public static JobState evolve(JobState state, StoredJobEvent stored) {
    if (stored.sequence() != state.sequence() + 1) {
      throw new IllegalStateException(
          "event %d of %s follows %d"
              .formatted(stored.sequence(), stored.key().partition(), state.sequence()));
    }
    return switch (state) {
      case JobState.Absent _ -> begin(stored);
      case JobState.Open job -> next(job.facts().after(stored), stored.event());
      case JobState.Closed _ ->
          throw new IllegalStateException(
              "event %d of %s follows the last"
                  .formatted(stored.sequence(), stored.key().partition()));
    };
  }

  static JobState chained(JobState state, Chain chain) {
    return switch (state) {
      case JobState.Absent absent -> absent;
      case JobState.Open job -> new JobState.Open(job.facts().chained(chain));
      case JobState.Closed job ->
          new JobState.Closed(
              job.facts().chained(chain), job.status(), job.error(), job.finishedAt());
    };
  }

  private static JobState begin(StoredJobEvent stored) {
    if (!(stored.event() instanceof JobEvent.Created created)) {
      throw new IllegalStateException("a job begins with job.created, not " + stored.type());
    }
    Instant now = stored.timestamp();
    return new JobState.Open(
        new JobFacts(
            stored.key(),
            Requester.nameOf(stored.by()),
            created.terms(),
            now,
            null,
            stored.sequence(),
            now,
            JobProgress.NONE,
            JobUsage.NONE,
            null,
            null));
  }

  private static JobState next(JobFacts facts, JobEvent event) {
    JobProgress items = facts.items();
    return switch (event) {
      case JobEvent.Created _ -> throw new IllegalStateException("a job begins once");
      case JobEvent.ItemsAdded added -> open(facts, items.with(added.batch()));
      case JobEvent.Started _ -> new JobState.Open(facts.startedNow());
      case JobEvent.ItemStarted started ->
          open(
              facts,
              items.started(
                  started.item(),
                  new JobProgress.Active(started.attempt(), started.runId(), started.threadId())));
      case JobEvent.ItemCompleted ended ->
          open(facts.used(ended.usage()), items.ended(ended.item(), true));
      case JobEvent.ItemFailed ended ->
          open(facts.used(ended.usage()), items.ended(ended.item(), false));
      case JobEvent.ItemRetried retried -> open(facts, items.retry(retried.item()));
      case JobEvent.ItemReported reported -> open(facts, items.report(reported.item()));
      case JobEvent.StopRequested stop -> new JobState.Open(facts.stopping(stop.why()));
      case JobEvent.Blocked _, JobEvent.Other _ -> new JobState.Open(facts);
      case JobEvent.Completed _ -> closed(facts, JobStatus.COMPLETED, null);
      case JobEvent.Failed failed -> closed(facts, JobStatus.FAILED, failed.error());
      case JobEvent.Cancelled _ -> closed(facts, JobStatus.CANCELLED, facts.stop());
    };
  }

  private static JobState open(JobFacts facts, JobProgress items) {
    return new JobState.Open(facts.with(items));
  }

  private static JobState closed(JobFacts facts, JobStatus status, @Nullable Failure error) {
    return new JobState.Closed(facts, status, error, facts.at());
  }
}
