package dev.runyard.core.job;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Snapshots of jobs: each is the fold of a job's log up to its sequence. They serve lists, save
/// reads, and tell `sweep` which jobs are due. They may lag behind the log.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface JobModels {
  /// Shards of the index of open jobs; one job is always in the same shard.
  int DUE_SHARDS = 4;

  Optional<JobState.Existing> snapshot(JobKey job);

  /// Saves the snapshot unless the stored one is as new. False when it was not saved.
  boolean save(JobState.Existing job);

  /// Jobs of a tenant, newest first, at most `limit`, beginning after the place `after`.
  JobPage list(String tenant, int limit, Optional<String> after);

  /// Open jobs of a shard that are due, earliest first, at most `limit`.
  List<JobKey> due(int shard, Instant now, int limit);

  static int shardOf(JobKey job) {
    return Math.floorMod(job.partition().hashCode(), DUE_SHARDS);
  }

  /// The place of a job in its tenant's list: later ones were created later.
  static String placeOf(JobState.Existing job) {
    return "%013d#%s".formatted(job.facts().createdAt().toEpochMilli(), job.facts().job().jobId());
  }

  /// One page of a list of jobs, and the place after which the next page begins.
  record JobPage(List<JobState.Existing> jobs, Optional<String> next) {
    public JobPage {
      jobs = List.copyOf(jobs);
    }

    /// The page of what was found, which has one more than a page if there is a next one.
    public static JobPage of(List<JobState.Existing> found, int limit) {
      List<JobState.Existing> page = found.subList(0, Math.min(limit, found.size()));
      return new JobPage(
          page, found.size() > limit ? Optional.of(placeOf(page.getLast())) : Optional.empty());
    }
  }
}
