package dev.runyard.core.job;

import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.Random;

/// A job whose items go on by chance, folded from events without a log.
final class JobFolding {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");
  private static final int ADDED = 1_000;
  private static final JobKey JOB = new JobKey("acme", "j1");

  private final Random random;
  private final RandomIds ids;
  private JobState state = JobState.absent();

  JobFolding(int items, Random random) {
    this.random = random;
    this.ids = new RandomIds(random);
    next(
        new JobEvent.Created(
            new JobTerms(
                "j1",
                JobLimits.CONCURRENCY_MAX,
                OnFailed.HOLD,
                null,
                null,
                null,
                ids.token(),
                null,
                null)));
    for (int first = 1; first <= items; first += ADDED) {
      next(new JobEvent.ItemsAdded(new ItemBatch(ids.token(), ids.token(), first, ADDED, 100)));
    }
    next(new JobEvent.Started());
  }

  JobState.Existing state() {
    return (JobState.Existing) state;
  }

  private void next(JobEvent event) {
    state =
        JobFold.evolve(state, new StoredJobEvent(JOB, "j1", state.sequence() + 1, AT, event, null));
  }

  /// Begins a run of the item; returns its id.
  String started(int item, int attempt) {
    String run = ids.runId(AT);
    next(new JobEvent.ItemStarted(item, attempt, run, "item-" + run));
    return run;
  }

  /// Runs the item until it completes, is reported, waits for another run, or stays failed.
  void played(int item) {
    for (int attempt = 1; ; attempt++) {
      String run = started(item, attempt);
      if (random.nextInt(3) == 0) {
        next(new JobEvent.ItemCompleted(item, attempt, run, "item-" + run, new JobUsage(7, 9)));
        return;
      }
      Failure why = new Failure("agent_failed", Category.BACKEND, "It failed.");
      next(new JobEvent.ItemFailed(item, attempt, run, "item-" + run, JobUsage.NONE, why, true));
      if (attempt == JobLimits.ITEM_RUNS_MAX || random.nextInt(8) == 0) {
        return;
      }
      if (random.nextInt(8) == 0) {
        next(new JobEvent.ItemReported(item, "known"));
        return;
      }
      next(new JobEvent.ItemRetried(item));
      if (random.nextInt(8) == 0) {
        return;
      }
    }
  }
}
