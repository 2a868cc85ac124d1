package dev.runyard.core.application;

import dev.runyard.core.job.ItemPlaces;
import dev.runyard.core.job.JobStream;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.task.TaskStream;
import java.time.Duration;

/// What the operator allows tenants, how long the log keeps what it has, and the rules of runs,
/// jobs and tasks, which tests modify to plant a defect.
///
/// @param places those that jobs leave to other runs
/// @param turnSeconds how long the names of turns are remembered at most
public record StackTerms(
    RunDecider rules,
    JobStream jobs,
    TaskStream tasks,
    Quotas quotas,
    ItemPlaces places,
    int turnSeconds) {
  /// Where no item has to leave a place to another run, and the log keeps everything.
  public static StackTerms of(Quotas quotas) {
    return new StackTerms(
        RunDecider.rules(),
        new JobStream(),
        new TaskStream(),
        quotas,
        ItemPlaces.UNLIMITED,
        IdempotencyStore.TURN_SECONDS);
  }

  public StackTerms with(ItemPlaces ofItems) {
    return new StackTerms(rules, jobs, tasks, quotas, ofItems, turnSeconds);
  }

  /// The same where the log keeps a chunk for so long: a run ends, and a name that leads to it is
  /// forgotten, while its log is whole.
  public StackTerms keeping(Duration kept) {
    int life = Math.toIntExact(kept.toSeconds() - Limits.LIFE_SPARE_SECONDS);
    return new StackTerms(
        RunDecider.rules(life),
        jobs,
        tasks,
        quotas,
        places,
        Math.min(IdempotencyStore.TURN_SECONDS, life));
  }
}
