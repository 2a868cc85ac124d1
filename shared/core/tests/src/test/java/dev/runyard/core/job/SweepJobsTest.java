package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which jobs a sweep comes to.
final class SweepJobsTest {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");
  private static final int DUE = 3_000;

  /// Most that a sweep handles before it has to end.
  private static final int HANDLED = 100;

  @Test
  void comesToEachJobHoweverManyStayDue() {
    JobRig rig = new JobRig();
    List<JobKey> due = IntStream.range(0, DUE).mapToObj(i -> new JobKey("acme", "j" + i)).toList();
    SweepJobs sweep = new SweepJobs(new StayDue(due), rig.jobs.advanceJob(), rig.jobs.projectJob());
    Set<JobKey> seen = new HashSet<>();
    for (int minute = 0; minute < DUE; minute++) {
      List<JobKey> next = sweep.due(0, AT.plusSeconds(60L * minute));
      assertEquals(DUE, next.size());
      seen.addAll(next.subList(0, HANDLED));
    }

    assertEquals(DUE, seen.size());
  }

  /// Jobs to which nothing happens, so that they are due again in the next sweep.
  private record StayDue(List<JobKey> jobs) implements JobModels {
    @Override
    public Optional<JobState.Existing> snapshot(JobKey job) {
      return Optional.empty();
    }

    @Override
    public boolean save(JobState.Existing job) {
      return false;
    }

    @Override
    public List<JobState.Existing> newest(String tenant, int limit, Optional<String> after) {
      return List.of();
    }

    @Override
    public List<JobKey> due(int shard, Instant now, int limit) {
      return jobs.subList(0, Math.min(limit, jobs.size()));
    }
  }
}
