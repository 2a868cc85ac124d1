package dev.runyard.core.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.projection.ModelSnapshots;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What one sweep comes to when there is more work of one kind than it gets done.
final class SweepTurnsTest {
  private static final int LANES = 18;
  private static final Duration SWEEP = Duration.ofSeconds(35);
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryEventLog log = new MemoryEventLog();
  private final MemoryReadModels models = new MemoryReadModels();
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  private final MemoryRunQueue dead = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  private final MemoryRunQueue failures = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  private final RunLog runs =
      new RunLog(log, new ModelSnapshots(models), RunDecider.rules(), clock, ids, "test");
  private final List<Instant> repairs = new ArrayList<>();

  @Test
  void looksAfterQuotasThoughShardsAndQueuesTakeAllItsTime() {
    List<Integer> shards = new ArrayList<>();
    while (shards.stream().distinct().count() < ReadModels.DUE_SHARDS) {
      RunKey run = created();
      shards.add(ReadModels.shardOf(run));
      dead.send(run, 0);
      failures.send(run, 0);
    }
    clock.advance(Duration.ofSeconds(Limits.RESEND_SECONDS));
    Instant until = clock.instant().plus(SWEEP);

    SweepRuns.Swept swept = slow().sweep(until);

    assertTrue(swept.left());
    assertEquals(1, repairs.size());
    assertTrue(repairs.getFirst().isBefore(until));
  }

  /// Each run takes all the time there is.
  private SweepRuns slow() {
    AdvanceRun advance =
        new AdvanceRun(runs, MemoryPlaces.turns(log, runs, queue, clock, ids), clock);
    return new SweepRuns(
        new OpenRuns(models, advance, _ -> repairs.add(clock.instant()), _ -> clock.advance(SWEEP)),
        dead,
        failures,
        new ScaleRunners(
            queue,
            new MemorySlots(),
            new MemoryRunnerFleet(),
            new FleetSize(0, 9, 4),
            ids,
            _ -> {}),
        lanes(),
        clock);
  }

  /// Parts begin in their order, and each lane goes on with the next when it is done.
  private Lanes lanes() {
    return work -> {
      Instant begin = clock.instant();
      List<Instant> free = new ArrayList<>();
      for (int i = 0; i < LANES; i++) {
        free.add(begin);
      }
      for (Runnable part : work) {
        Instant next = free.stream().min(Instant::compareTo).orElseThrow();
        free.remove(next);
        clock.set(next);
        part.run();
        free.add(clock.instant());
      }
    };
  }

  private RunKey created() {
    RunKey run = new RunKey("default", ids.runId(clock.instant()));
    RunCommand submit = new RunCommand.Submit(SampleRequests.echo(run.runId()));
    models.save((RunState.Existing) runs.execute(run, submit).state());
    return run;
  }
}
