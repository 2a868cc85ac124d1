package dev.runyard.core.job;

import dev.runyard.core.log.Rotation;
import java.time.Instant;
import java.util.List;

/// What `sweep` does about jobs: it looks at each that is due, and brings what is stored of it up
/// to its log.
public final class SweepJobs {
  /// Most due jobs of one shard that one sweep chooses from.
  public static final int DUE_MAX = 20_000;

  private final JobModels models;
  private final AdvanceJob advance;
  private final ProjectJob project;

  public SweepJobs(JobModels models, AdvanceJob advance, ProjectJob project) {
    this.models = models;
    this.advance = advance;
    this.project = project;
  }

  /// Jobs of the shard that are due. One whose runs take long stays due, and a sweep may end before
  /// it has looked at all; so every minute another one comes first.
  public List<JobKey> due(int shard, Instant now) {
    return Rotation.of(models.due(shard, now, DUE_MAX), now);
  }

  /// Does what was missed. A job that nothing happens to is looked at in each sweep.
  public void sweep(JobKey job) {
    advance.check(job);
    project.keep(job);
  }
}
