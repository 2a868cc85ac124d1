package dev.runyard.core.job;

import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;

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
}
