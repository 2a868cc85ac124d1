package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// What jobs leave to others.
final class ItemPlacesTest {
  private static void assertRunning(int running, JobRig rig, JobKey job) {
    assertEquals(running, rig.job(job).facts().items().active().size(), () -> rig.counts(job));
  }

  @Test
  void leavesATenthOfThePlacesToOtherRuns() {
    JobRig rig = new JobRig(ItemPlaces.of(20));
    JobKey job = rig.started(JobRig.body(40).put("concurrency", 200));

    assertRunning(18, rig, job);
    rig.endAll(job, true);
    assertRunning(18, rig, job);
    rig.endAll(job, true);
    assertRunning(4, rig, job);
    rig.endAll(job, true);
    assertEquals(JobStatus.COMPLETED, rig.job(job).status());
  }

  @Test
  void hasAPlaceHoweverFewThereAre() {
    assertEquals(1, ItemPlaces.of(1).room(10, 0));
    assertEquals(1, ItemPlaces.of(2).room(10, 0));
    assertEquals(0, ItemPlaces.of(2).room(10, 1));
    assertEquals(3, ItemPlaces.of(40).room(5, 2));
  }
}
