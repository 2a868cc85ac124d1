package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobState;
import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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

  @Test
  void pagesThroughThoseOfATenant() {
    String tenant = SampleRuns.tenant();
    Instant at = Instant.parse("2026-03-01T12:00:00Z");
    JobState.Existing older = created(new JobKey(tenant, "older"), at);
    JobState.Existing newer = created(new JobKey(tenant, "newer"), at.plusSeconds(1));
    JobModels models = jobModels();
    models.save(older);
    models.save(newer);

    JobModels.JobPage first = models.list(tenant, 1, Optional.empty());
    assertEquals(List.of(newer), first.jobs());
    JobModels.JobPage rest = models.list(tenant, 1, first.next());
    assertEquals(List.of(older), rest.jobs());
    assertEquals(Optional.empty(), rest.next());
  }
}
