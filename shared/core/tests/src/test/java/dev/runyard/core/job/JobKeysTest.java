package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A retry or a report whose answer was lost is sent again.
final class JobKeysTest {
  private final JobRig rig = new JobRig();
  private final JobKey job = rig.started(JobRig.body(2));

  private ManageJobs.Result retry(int item, String key) {
    return rig.jobs.manage().retry(JobRig.BY, "j1", item, Optional.of(key));
  }

  private ManageJobs.Result report(String note) {
    return rig.jobs.manage().report(JobRig.BY, "j1", 1, note, Optional.of("r"));
  }

  @Test
  void runsAnItemOnceForAKey() {
    assertEquals("item_not_failed", JobRig.code(retry(1, "k")));
    rig.endAll(job, false);
    JobRig.done(retry(1, "k"));
    JobRig.done(retry(1, "k"));
    rig.advance(job);
    JobRig.done(retry(1, "k"));
    rig.endAll(job, false);
    JobRig.done(retry(1, "k"));

    assertEquals(2, rig.job(job).facts().items().attempts(1));
    rig.assertCounts("blocked: 0 pending, 0 running, 0 completed, 2 failed, 0 reported", job);
    assertEquals("idempotency_mismatch", JobRig.code(retry(2, "k")));
    JobRig.done(retry(1, "another"));
    rig.advance(job);
    assertEquals(3, rig.job(job).facts().items().attempts(1));
  }

  @Test
  void answersARepeatedRetryOfAJobThatHasEnded() {
    rig.endAll(job, false);
    JobRig.done(retry(1, "k"));
    JobRig.done(retry(2, "l"));
    rig.advance(job);
    rig.endAll(job, true);

    assertEquals(JobStatus.COMPLETED, JobRig.done(retry(1, "k")).status());
  }

  @Test
  void reportsOnceForAKey() {
    assertEquals("item_not_failed", JobRig.code(report("known")));
    rig.endAll(job, false);
    JobRig.done(report("known"));
    long sequence = rig.job(job).sequence();

    assertEquals(sequence, JobRig.done(report("known")).sequence());
    assertEquals("idempotency_mismatch", JobRig.code(report("other")));
    assertEquals(
        "item_not_failed",
        JobRig.code(rig.jobs.manage().report(JobRig.BY, "j1", 1, "known", Optional.empty())));
  }

  private ManageJobs.Result start(String id, String key) {
    return rig.jobs.manage().start(JobRig.BY, id, Optional.of(key));
  }

  private ManageJobs.Result cancel(String reason, String key) {
    return rig.jobs.manage().cancel(JobRig.BY, "j1", reason, Optional.of(key));
  }

  @Test
  void startsOnceForAKeyAlsoWhenTheJobHasEndedSince() {
    JobKey other = rig.created(JobRig.body(1).put("job_id", "j2"));
    JobRig.done(start("j2", "k"));
    rig.advance(other);
    rig.endAll(other, true);

    assertEquals(JobStatus.COMPLETED, JobRig.done(start("j2", "k")).status());
    assertEquals("idempotency_mismatch", JobRig.code(start("j1", "k")));
    assertEquals("job_closed", JobRig.code(start("j2", "late")));
    assertEquals("job_closed", JobRig.code(start("j2", "late")));
  }

  @Test
  void cancelsOnceForAKeyAlsoWhenTheJobHasEndedSince() {
    JobRig.done(cancel("enough", "k"));
    rig.advance(job);
    rig.endAll(job, false);
    assertEquals(JobStatus.CANCELLED, rig.job(job).status());

    assertEquals(JobStatus.CANCELLED, JobRig.done(cancel("enough", "k")).status());
    assertEquals("idempotency_mismatch", JobRig.code(cancel("other", "k")));
    assertEquals("idempotency_mismatch", JobRig.code(start("j1", "k")));
    assertEquals("job_closed", JobRig.code(cancel("enough", "late")));
    assertEquals("job_closed", JobRig.code(cancel("enough", "late")));
    assertEquals("job_closed", JobRig.code(start("j1", "later")));
  }
}
