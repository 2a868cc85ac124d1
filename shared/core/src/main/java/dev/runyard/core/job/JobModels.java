package dev.runyard.core.job;

import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import java.util.List;
import java.util.Optional;

/// Snapshots of jobs.
public interface JobModels extends Models<JobKey, JobState.Existing> {
  /// How stores keep them.
  ModelKind<JobKey, JobState.Existing> KIND =
      new ModelKind<>(
          "job",
          JobKey::new,
          job -> job.facts().job(),
          new ModelKind.Codec<>(JobSnapshotCodec::pack, JobSnapshotCodec::unpack),
          job -> job.facts().createdAt(),
          JobState::dueAt);

  /// A page of the jobs of a tenant, newest first, beginning after the place `after`.
  default JobPage list(String tenant, int limit, Optional<String> after) {
    return JobPage.of(newest(tenant, limit + 1, after), limit);
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
          page,
          found.size() > limit ? Optional.of(KIND.placeOf(page.getLast())) : Optional.empty());
    }
  }
}
