package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [JobModels] promises.
public abstract class JobModelsContract {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private JobModels models;
  private JobKey job;

  /// The store under test; it may hold jobs of other tenants.
  protected abstract JobModels jobModels();

  @BeforeEach
  void open() {
    models = jobModels();
    job = new JobKey(SampleRuns.tenant(), "j-1");
  }

  @Test
  void hasTheNewestSnapshot() {
    JobState.Existing first = SampleJobs.created(job, AT);
    JobState.Existing second = SampleJobs.running(job, AT);

    assertEquals(Optional.empty(), models.snapshot(job));
    assertTrue(models.save(first));
    assertEquals(Optional.of(first), models.snapshot(job));
    assertTrue(models.save(second));
    assertFalse(models.save(first));
    assertFalse(models.save(second));
    assertEquals(Optional.of(second), models.snapshot(job));
  }

  @Test
  void listsTheJobsOfOneTenantNewestFirst() {
    List<JobState.Existing> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(SampleJobs.created(new JobKey(job.tenant(), "j-" + i), AT.plusSeconds(i)));
    }
    made.forEach(models::save);
    models.save(SampleJobs.created(new JobKey(SampleRuns.tenant(), "j-9"), AT));

    JobModels.JobPage first = models.list(job.tenant(), 3, Optional.empty());
    assertEquals(made.reversed().subList(0, 3), first.jobs());
    JobModels.JobPage rest = models.list(job.tenant(), 3, first.next());
    assertEquals(made.reversed().subList(3, 5), rest.jobs());
    assertEquals(Optional.empty(), rest.next());
  }

  @Test
  void findsTheJobsThatAreDue() {
    models.save(SampleJobs.created(new JobKey(job.tenant(), "waits"), AT));
    models.save(SampleJobs.running(job, AT));
    int shard = JobModels.shardOf(job);

    assertFalse(models.due(shard, AT.plusSeconds(59), 100_000).contains(job));
    assertTrue(models.due(shard, AT.plusSeconds(60), 100_000).contains(job));
    assertFalse(
        models.due((shard + 1) % JobModels.DUE_SHARDS, AT.plusSeconds(60), 9).contains(job));
  }
}
