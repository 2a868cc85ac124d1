package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What one step of a job may be.
final class JobBoundsTest {
  private final JobRig rig = new JobRig();

  @Test
  void startsNoMoreRunsInAThreadThanItTakes() {
    ObjectNode body = JobRig.body(150).put("concurrency", 200);
    ((ObjectNode) body.get("request")).put("session_id", "s1");

    JobKey job = rig.started(body);

    rig.assertCounts("running: 50 pending, 100 running, 0 completed, 0 failed, 0 reported", job);
  }

  /// Each of them is a few calls of the stores, for which others' runs may wait.
  @Test
  void startsAFewItemsACall() {
    JobKey job = rig.begun(JobRig.body(50).put("concurrency", 45));

    rig.advance(job);
    assertEquals(AdvanceJob.STARTS_MAX, rig.job(job).facts().items().active().size());
    rig.advance(job);
    assertEquals(2 * AdvanceJob.STARTS_MAX, rig.job(job).facts().items().active().size());
    rig.advance(job);
    assertEquals(45, rig.job(job).facts().items().active().size());
    rig.advance(job);
    rig.assertCounts("running: 5 pending, 45 running, 0 completed, 0 failed, 0 reported", job);
  }

  @Test
  void tellsTheBeginningOfALongError() {
    JobKey job = rig.started(JobRig.body(1));
    rig.cases.cancelRun().cancel(rig.run(job, 1), "x".repeat(4000), "somebody");
    RunState.Closed run = (RunState.Closed) rig.cases.advanceRun().advance(rig.run(job, 1));
    rig.jobs.advanceJob().advance(job, List.of(run));
    rig.jobs.projectJob().project(job);

    ItemRow row = rig.memory.jobs().items().row(job, 1).orElseThrow();
    String message = Objects.requireNonNull(row.error()).message();
    assertEquals(JobLimits.ITEM_ERROR_BYTES_MAX, Bounds.bytes(message));
    assertTrue(message.endsWith(Bounds.TRUNCATED));
  }

  /// Ten thousand items of which each was run as often as it may be or not, and no two neighbours
  /// alike: nothing about them compresses.
  @Test
  void keepsTenThousandItemsInASmallSnapshot() {
    JobFolding job = new JobFolding(10_000, new Random(1));
    for (int item = 1; item <= 10_000 - JobLimits.CONCURRENCY_MAX; item++) {
      job.played(item);
    }
    for (int item = 10_000 - JobLimits.CONCURRENCY_MAX + 1; item <= 10_000; item++) {
      job.started(item, 1);
    }

    JobState.Existing state = job.state();
    assertEquals(JobLimits.CONCURRENCY_MAX, state.facts().items().active().size());
    assertEquals(JobLimits.ITEM_RUNS_MAX - 1, state.facts().items().retried().size());
    int bytes = JobSnapshotCodec.pack(state).length;
    assertTrue(bytes <= 64 * 1024, () -> bytes + " bytes");
    assertEquals(state, JobSnapshotCodec.unpack(JobSnapshotCodec.pack(state)));
  }
}
