package dev.runyard.testkit.contract;

import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobState;
import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import java.time.Instant;

/// What every [JobModels] promises.
public abstract class JobModelsContract extends ModelsContract<JobKey, JobState.Existing> {
  /// The store under test; it may hold jobs of other tenants.
  protected abstract JobModels jobModels();

  @Override
  final Models<JobKey, JobState.Existing> models() {
    return jobModels();
  }

  @Override
  final ModelKind<JobKey, JobState.Existing> kind() {
    return JobModels.KIND;
  }

  @Override
  final JobState.Existing created(JobKey key, Instant at) {
    return SampleJobs.created(key, at);
  }

  @Override
  final JobState.Existing running(JobKey key, Instant at) {
    return SampleJobs.running(key, at);
  }
}
