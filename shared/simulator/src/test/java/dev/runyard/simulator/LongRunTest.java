package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RecentStates;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.log.StreamLog;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.projection.ModelSnapshots;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.projection.WholeSnapshots;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.sweep.OpenRuns;
import dev.runyard.core.sweep.SweepRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A run of three million events: an agent that writes for ten minutes as fast as a runner stores.
/// Every use of the run reads a bounded number of them.
final class LongRunTest {
  private static final int EVENTS = 3_000_000;
  private static final int ALONE_EVENTS = EVENTS / 10;
  private static final int CHUNK_EVENTS = 1_000;

  /// How long a runner takes for that many.
  private static final Duration CHUNK = Duration.ofMillis(200);

  /// What is between two snapshots, and the chunk that asks for the next.
  private static final int READ_MAX = StreamLog.SNAPSHOT_EVENTS + CHUNK_EVENTS;

  private static final RunKey RUN = new RunKey("default", "019c0000-0000-7000-8000-000000000001");

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final LongLog log = new LongLog();
  private final MemoryReadModels models = new MemoryReadModels();
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  private final MemoryRunQueue none = new MemoryRunQueue(clock, 60);
  private final RunLog runs = runs(new ModelSnapshots(models));
  private final RunLog writer = runs(Snapshots.none());
  private final ProjectRun project = new ProjectRun(runs, models);
  private final AdvanceRun advance =
      new AdvanceRun(runs, MemoryPlaces.turns(log, runs, queue, clock, ids), clock);

  @Test
  void isAdvancedSweptReadAndClaimedInBoundedSteps() {
    RunState.Existing at = running();
    long most = 0;
    for (int i = 0; i < EVENTS / CHUNK_EVENTS; i++) {
      at = talk(at);
      most = Math.max(most, log.read());
    }
    assertTrue(most <= READ_MAX, most + " events to project");

    advance.advance(RUN);
    bounded("advance");
    runs.load(RUN);
    bounded("read");
    clock.advance(Duration.ofSeconds(Limits.SILENT_SECONDS));
    models.save(at);
    log.read();
    sweep();
    bounded("sweep");
    assertInstanceOf(RunState.Retrying.class, runs.load(RUN));
    log.read();

    RunState claimed =
        runs(new WholeSnapshots(models, log))
            .execute(RUN, new RunCommand.Claim("attempt-2", "runner", "t-2", clock.instant()))
            .state();
    bounded("claim");
    assertEquals("say much", ((RunState.Existing) claimed).facts().request().prompt());
    assertEquals(Map.of("TOKEN", "s3cret"), ((RunState.Existing) claimed).facts().request().env());

    new EventCursor<>(log, EventCodec.RUNS, RUN, EVENTS - 10L).next();
    bounded("page near the end");
    new EventCursor<>(log, EventCodec.RUNS, RUN, 10).next();
    assertTrue(log.read() <= (1L + EventLog.READ_CHUNKS_MAX) * CHUNK_EVENTS, "page at the start");
  }

  /// Without a projection each load continues where the one before it had to stop.
  @Test
  void isReadInBoundedStepsThoughTheProjectionLags() {
    RunState.Existing at = running();
    for (int i = 0; i < EVENTS / CHUNK_EVENTS; i++) {
      at = appended(at, Collections.nCopies(CHUNK_EVENTS, LongLog.TALK));
    }
    log.read();

    int loads = 1;
    while (!done(loads)) {
      loads++;
    }

    assertTrue(loads > 1 && loads <= EVENTS / StreamLog.LOAD_EVENTS_MAX, loads + " loads");
    advance.advance(RUN);
    bounded("advance");
  }

  /// `advance` hears of the run as `project` would have, and reads a little of it each time, here
  /// for a minute.
  @Test
  void isClaimedInBoundedStepsThoughNothingIsProjected() {
    RunLog warm = runs(new RecentStates<>(new ModelSnapshots(models), clock));
    AdvanceRun alone =
        new AdvanceRun(warm, MemoryPlaces.turns(log, warm, queue, clock, ids), clock);
    RunState.Existing at = running();
    for (int i = 0; i < ALONE_EVENTS / CHUNK_EVENTS; i++) {
      clock.advance(CHUNK);
      Chunk chunk = chunk(at, Collections.nCopies(CHUNK_EVENTS, LongLog.TALK));
      at = appended(at, chunk);
      if (chunk.state().isPresent()) {
        alone.advance(RUN);
      }
    }
    log.read();

    RunLog.Outcome outcome =
        runs(new WholeSnapshots(models, log))
            .execute(RUN, new RunCommand.Claim("attempt-2", "runner", "t-1", clock.instant()));

    long read = log.read();
    assertTrue(read <= StreamLog.BEHIND_EVENTS_MAX + READ_MAX, read + " events for claim");
    assertInstanceOf(RunLog.Outcome.Deferred.class, outcome);
  }

  /// What an agent needs and a snapshot leaves out is read from its place in the log.
  @Test
  void aClaimHasWhatWasSentToTheRun() {
    RunState.Existing at = running();
    for (int i = 0; i < 20; i++) {
      at = talk(at);
    }
    String action = ActionId.of(RUN, 1);
    Instant expires = clock.instant().plusSeconds(600);
    at =
        appended(
            at,
            List.of(
                new ActionRequired(
                    action, ActionType.QUESTION, "Which?", null, List.of(), 600, expires, null),
                new TaskWaiting(action, ActionType.QUESTION.phase())));
    at = appended(at, List.of(new RunEvent.ChannelMessage("m-1", "take the left", null)));
    at =
        appended(
            at,
            List.of(new RunEvent.ActionResolved(action, ActionDecision.APPROVE, null, "somebody")));
    for (int i = 0; i < 20; i++) {
      at = talk(at);
    }
    appended(at, List.of(new RunEvent.AttemptFailed(1, "attempt-1", LOST)));
    project.project(RUN);

    RunState snapshot = runs(new WholeSnapshots(models, log)).load(RUN);
    RunState fold = writer.load(RUN);

    assertEquals(
        ((RunState.Existing) fold).facts().interactions(),
        ((RunState.Existing) snapshot).facts().interactions());
    assertEquals(
        ((RunState.Existing) fold).facts().request(),
        ((RunState.Existing) snapshot).facts().request());
  }

  private static final Failure LOST = Failure.backend("runner_lost", "It was lost.");

  private boolean done(int load) {
    try {
      advance.advance(RUN);
      return true;
    } catch (PortUnavailable _) {
      return false;
    } finally {
      long read = log.read();
      assertTrue(
          read <= StreamLog.LOAD_EVENTS_MAX + EventLog.READ_CHUNKS_MAX * CHUNK_EVENTS,
          read + " events in load " + load);
    }
  }

  private void bounded(String what) {
    long read = log.read();
    assertTrue(read <= 2L * READ_MAX, read + " events for " + what);
  }

  private void sweep() {
    SweepRuns.Swept swept =
        new SweepRuns(
                new OpenRuns(models, advance, _ -> true),
                none,
                none,
                new ScaleRunners(
                    queue,
                    new MemorySlots(),
                    new MemoryRunnerFleet(),
                    new FleetSize(0, 0, 1),
                    ids,
                    _ -> {}),
                Lanes.one(),
                clock)
            .sweep(Instant.MAX);
    assertEquals(List.of(), swept.failures());
    assertEquals(1, swept.handled());
  }

  private RunState.Existing running() {
    RunRequest request = LongLog.request(RUN, Map.of("TOKEN", "s3cret"));
    RunState at = writer.execute(RUN, new RunCommand.Submit(request)).state();
    at =
        writer
            .execute(RUN, at, new RunCommand.Claim("attempt-1", "runner", "t-1", clock.instant()))
            .state();
    project.project(RUN);
    log.read();
    return appended(
        (RunState.Existing) at, List.of(new RunEvent.ProcessStarted("process-1", "echo")));
  }

  private RunState.Existing talk(RunState.Existing at) {
    Chunk chunk = chunk(at, Collections.nCopies(CHUNK_EVENTS, LongLog.TALK));
    RunState.Existing next = appended(at, chunk);
    if (chunk.state().isPresent()) {
      project.project(RUN);
    }
    return next;
  }

  private RunState.Existing appended(RunState.Existing at, List<RunEvent> events) {
    return appended(at, chunk(at, events));
  }

  private Chunk chunk(RunState.Existing at, List<RunEvent> events) {
    RunCommand report = new RunCommand.Report("attempt-1", events);
    return writer.chunk(RUN, at, report, new Decision.Append(events));
  }

  private RunState.Existing appended(RunState.Existing at, Chunk chunk) {
    writer.append(chunk);
    return (RunState.Existing) RunFold.fold(at, chunk.events(EventCodec.RUNS));
  }

  private RunLog runs(Snapshots<RunState> snapshots) {
    return new RunLog(log, snapshots, RunDecider.rules(), clock, ids, "test");
  }
}
