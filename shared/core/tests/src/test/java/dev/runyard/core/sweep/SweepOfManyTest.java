package dev.runyard.core.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.StreamLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.projection.ModelSnapshots;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Sweeps of more open runs than can be visited in one: each call of the log or the views takes ten
/// times what it does, so that a tenth of the runs are enough.
final class SweepOfManyTest {
  private static final Duration CALL = Duration.ofMillis(80);
  private static final Duration SWEEP = Duration.ofSeconds(35);

  /// More than can be visited with four calls each, and fewer than with one.
  private static final int MOST = 200;

  private static final int WAITING = 10;
  private static final int RESENDS = 6;

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryReadModels models = new MemoryReadModels();
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  private final MemoryRunnerFleet fleet = new MemoryRunnerFleet();
  private final MemorySlots slots = new MemorySlots();
  private final EventLog log = new SlowLog(new MemoryEventLog());
  private final ReadModels slow = new SlowModels();
  private final RunLog runs =
      new RunLog(log, new ModelSnapshots(slow), RunDecider.rules(), clock, ids, "test");
  private final AdvanceRun advance =
      new AdvanceRun(runs, MemoryPlaces.turns(log, runs, queue, clock, ids), clock);

  private Duration call = Duration.ZERO;

  @Test
  void tellsRunsThatHaveWaitedForLongThoughMostRunsAreAtWork() {
    List<RunKey> waiting = someWaiting();
    for (int i = 0; i < MOST; i++) {
      running();
    }
    refuse();

    sweep();
    assertTold(waiting);
  }

  @Test
  void tellsRunsThatCameLaterThoughMostKnow() {
    for (int i = 0; i < MOST; i++) {
      waiting();
    }
    refuse();
    sweep(Instant.MAX);
    List<RunKey> later = someWaiting();

    sweep();

    assertTold(later);
  }

  /// Runs that nobody read for long, as many of them as there may be without an answer. Each visit
  /// reads as much as one may, and the next sweep goes on there.
  @Test
  void visitsTheRunsBehindThoseWhoseLogsTakeSeveralVisits() {
    int shard = ReadModels.shardOf(submitted());
    List<RunKey> loud = new ArrayList<>();
    for (int i = 0; i < SweepRuns.UNAVAILABLE_MAX; i++) {
      loud.add(running(inShard(shard)));
    }
    loud.forEach(this::talk);
    clock.advance(Duration.ofSeconds(1));
    RunKey later = running(inShard(shard));
    clock.advance(Duration.ofSeconds(Limits.SILENT_SECONDS));

    SweepRuns.Swept first = sweep(Instant.MAX);

    assertEquals(List.of(), first.failures());
    assertTrue(first.left());
    assertInstanceOf(RunState.Retrying.class, models.snapshot(later).orElseThrow());
    for (RunKey run : loud) {
      assertTrue(
          models.snapshot(run).orElseThrow().sequence() > StreamLog.LOAD_EVENTS_MAX, run.runId());
    }

    SweepRuns.Swept second = sweep(Instant.MAX);

    assertEquals(List.of(), second.failures());
    assertFalse(second.left());
    for (RunKey run : loud) {
      assertInstanceOf(RunState.Retrying.class, models.snapshot(run).orElseThrow());
    }
  }

  private void talk(RunKey run) {
    RunState state = runs.load(run);
    RunCommand report =
        new RunCommand.Report("attempt", Collections.nCopies(600, new RunEvent.ModelCompleted()));
    for (int i = 0; i < EventLog.READ_CHUNKS_MAX; i++) {
      state = runs.execute(run, state, report).state();
    }
  }

  private List<RunKey> someWaiting() {
    List<RunKey> some = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      some.add(waiting());
    }
    return some;
  }

  private void assertTold(List<RunKey> some) {
    for (RunKey run : some) {
      assertTrue(models.snapshot(run).orElseThrow().blocked().isPresent(), run.runId());
    }
  }

  private void refuse() {
    fleet.refuse(Optional.of(new StartFailure(StartFailure.Cause.QUOTA, "limit")));
  }

  /// As long as one has, where each call takes its time.
  private void sweep() {
    call = CALL;
    sweep(clock.instant().plus(SWEEP));
  }

  private SweepRuns.Swept sweep(Instant until) {
    return new SweepRuns(
            new OpenRuns(slow, advance, _ -> true),
            new MemoryRunQueue(clock, 60),
            new MemoryRunQueue(clock, 60),
            new ScaleRunners(queue, slots, fleet, new FleetSize(0, 10, 4), ids, _ -> {}),
            Lanes.one(),
            clock)
        .sweep(until);
  }

  /// Its message was sent again so often that the next time is far.
  private RunKey waiting() {
    RunKey run = submitted();
    for (int i = 0; i < RESENDS; i++) {
      save(runs.execute(run, new RunCommand.Undelivered(clock.instant())));
    }
    return run;
  }

  private void running() {
    running(anyRun());
  }

  private RunKey running(RunKey key) {
    RunKey run = submitted(key);
    save(runs.execute(run, new RunCommand.Claim("attempt", "runner", "ticket", clock.instant())));
    return run;
  }

  private RunKey inShard(int shard) {
    RunKey run = anyRun();
    while (ReadModels.shardOf(run) != shard) {
      run = anyRun();
    }
    return run;
  }

  private RunKey anyRun() {
    return new RunKey("default", ids.runId(clock.instant()));
  }

  private RunKey submitted() {
    return submitted(anyRun());
  }

  private RunKey submitted(RunKey run) {
    RunRequest request = SampleRequests.of("echo", run.runId(), Limits.RUN_SECONDS_MAX);
    save(runs.execute(run, new RunCommand.Submit(request)));
    queue.send(run, 0);
    return run;
  }

  private void save(RunLog.Outcome outcome) {
    models.save((RunState.Existing) outcome.state());
  }

  private final class SlowModels implements ReadModels {
    @Override
    public Optional<RunState.Existing> snapshot(RunKey run) {
      clock.advance(call);
      return models.snapshot(run);
    }

    @Override
    public boolean save(RunState.Existing run) {
      clock.advance(call);
      return models.save(run);
    }

    @Override
    public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
      return models.list(tenant, filter, limit, after);
    }

    @Override
    public List<RunKey> due(int shard, Instant now, int limit) {
      return models.due(shard, now, limit);
    }
  }

  private final class SlowLog implements EventLog {
    private final EventLog log;

    SlowLog(EventLog log) {
      this.log = log;
    }

    @Override
    public AppendResult append(Chunk chunk) {
      return log.append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      clock.advance(call);
      return log.chunksAfter(key, sequence);
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      clock.advance(call);
      return log.chunkAt(key, sequence);
    }
  }
}
