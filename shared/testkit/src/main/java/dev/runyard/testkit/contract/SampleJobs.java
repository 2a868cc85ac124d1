package dev.runyard.testkit.contract;

import dev.runyard.core.event.Requester;
import dev.runyard.core.job.ItemBatch;
import dev.runyard.core.job.ItemRow;
import dev.runyard.core.job.JobEvent;
import dev.runyard.core.job.JobFold;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobTerms;
import dev.runyard.core.job.JobUsage;
import dev.runyard.core.job.OnFailed;
import dev.runyard.core.job.StoredJobEvent;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.List;

/// Jobs as contracts store them.
public final class SampleJobs {
  private SampleJobs() {}

  public static JobState.Open created(JobKey job, Instant at) {
    return after(
        JobState.absent(),
        job,
        at,
        List.of(
            new JobEvent.Created(
                new JobTerms("s1", 10, OnFailed.HOLD, null, 5L, 1.5, "fingerprint", "t1", null)),
            new JobEvent.ItemsAdded(new ItemBatch("inputs", "", 1, 5, 100))));
  }

  /// The same after its start and that of an item.
  public static JobState.Open running(JobKey job, Instant at) {
    return after(
        created(job, at),
        job,
        at,
        List.of(
            new JobEvent.Started(), new JobEvent.ItemStarted(1, 1, run(1), "thread-" + run(1))));
  }

  private static JobState.Open after(JobState from, JobKey job, Instant at, List<JobEvent> events) {
    JobState state = from;
    for (JobEvent event : events) {
      state =
          JobFold.evolve(
              state,
              new StoredJobEvent(
                  job, "s1", state.sequence() + 1, at, event, Requester.of("key:k1")));
    }
    return (JobState.Open) state;
  }

  public static String run(int item) {
    return "019c0000-0000-7000-8000-%012d".formatted(item);
  }

  /// A row of a failed item, from the event at `sequence`.
  public static ItemRow row(int item, long sequence) {
    return new ItemRow(
        item,
        sequence,
        1,
        run(item),
        "thread-" + run(item),
        Failure.backend("agent_failed", "größe \"x\""),
        true,
        new JobUsage(7, 9),
        "note",
        Instant.parse("2026-03-01T12:00:00.250Z"));
  }
}
