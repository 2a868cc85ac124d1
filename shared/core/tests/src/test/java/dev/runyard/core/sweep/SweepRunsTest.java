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
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.projection.ModelSnapshots;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SweepRunsTest {
  private static final int RECEIVE_COUNT_MAX = 5;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final Outage log = new Outage();
  private final MemoryReadModels models = new MemoryReadModels();
  private final MemoryRunQueue dead = new MemoryRunQueue(clock, 60);
  private final MemoryRunQueue streamFailures = new MemoryRunQueue(clock, 60);
  private final MemoryRunQueue queue =
      new MemoryRunQueue(clock, Limits.LEASE_SECONDS, RECEIVE_COUNT_MAX, dead);
  private final MemoryRunnerFleet fleet = new MemoryRunnerFleet();
  private final RunLog runs =
      new RunLog(log, new ModelSnapshots(models), RunDecider.rules(), clock, ids, "test");
  private final AdvanceRun advance =
      new AdvanceRun(runs, MemoryPlaces.turns(log, runs, queue, clock, ids), clock);

  @Test
  void startsRunnersFirstHoweverLittleTimeThereIs() {
    created();
    dead.send(created(), 0);

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(clock.instant());

    assertEquals(List.of(0), fleet.started());
    assertEquals(0, swept.handled());
    assertTrue(swept.left());
    assertEquals(1, dead.runs().size());
  }

  @Test
  void movesOnWhatIsDueAndNothingElse() {
    RunKey due = created();
    clock.advance(Duration.ofSeconds(Limits.RESEND_SECONDS));
    RunKey fresh = created();

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(Instant.MAX);

    assertEquals(1, swept.handled());
    assertFalse(swept.left());
    assertEquals(4, models.snapshot(due).orElseThrow().sequence());
    assertEquals(3, models.snapshot(fresh).orElseThrow().sequence());
  }

  @Test
  void beginsWithAnotherShardEachMinute() {
    Set<Integer> shards = new HashSet<>();
    List<RunKey> all = new ArrayList<>();
    while (shards.size() < ReadModels.DUE_SHARDS) {
      RunKey run = created();
      all.add(run);
      shards.add(ReadModels.shardOf(run));
    }
    clock.advance(Duration.ofSeconds(Limits.RESEND_SECONDS));
    SweepRuns firstShardOnly = sweep(work -> work.get(2).run());

    for (int minute = 0; minute < ReadModels.DUE_SHARDS; minute++) {
      firstShardOnly.sweep(Instant.MAX);
      clock.advance(Duration.ofMinutes(1));
    }

    for (RunKey run : all) {
      assertTrue(models.snapshot(run).orElseThrow().sequence() > 3, run.runId());
    }
  }

  @Test
  void asksAPortThatDoesNotAnswerAFewTimesOnly() {
    for (int i = 0; i < 200; i++) {
      created();
    }
    clock.advance(Duration.ofSeconds(Limits.RESEND_SECONDS));
    log.down = true;

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(Instant.MAX);

    assertTrue(swept.left());
    assertTrue(
        swept.failures().size() <= SweepRuns.UNAVAILABLE_MAX * ReadModels.DUE_SHARDS,
        swept.failures().size() + " failures");
  }

  /// Each claim fails until the message is a dead letter, and later.
  @Test
  void anOutageOfTheLogFailsNothingThatWaits() {
    for (Duration outage : List.of(Duration.ofMinutes(4), Duration.ofMinutes(10))) {
      RunKey run = created();
      SweepRuns sweep = sweep(Lanes.one());
      Instant end = clock.instant().plus(outage);
      log.down = true;
      while (clock.instant().isBefore(end)) {
        queue.receive(RunQueue.RECEIVE_MAX, 0);
        sweep.sweep(Instant.MAX);
        clock.advance(Duration.ofSeconds(15));
      }
      log.down = false;
      queue.receive(RunQueue.RECEIVE_MAX, 0);
      clock.advance(Duration.ofMinutes(1));
      sweep.sweep(Instant.MAX);
      clock.advance(Duration.ofMinutes(1));
      sweep.sweep(Instant.MAX);

      assertInstanceOf(RunState.Created.class, runs.load(run), outage.toString());
      assertEquals(List.of(), dead.runs());
      List<Ticket> tickets = queue.receive(RunQueue.RECEIVE_MAX, 0);
      assertTrue(tickets.stream().anyMatch(ticket -> ticket.run().equals(run)), "sent again");
      tickets.forEach(queue::delete);
    }
  }

  @Test
  void aDeadLetterEndsNoAttemptThatWrites() {
    RunKey run = created();
    runs.execute(run, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
    clock.advance(Duration.ofSeconds(Limits.SILENT_SECONDS - 1L));
    runs.execute(
        run, new RunCommand.Report("attempt-1", List.of(new RunEvent.RunStatus("preparing"))));
    clock.advance(Duration.ofSeconds(Limits.SILENT_SECONDS - 1L));
    dead.send(run, 0);

    sweep(Lanes.one()).sweep(Instant.MAX);

    assertInstanceOf(RunState.InProgress.class, runs.load(run));
    assertEquals(List.of(), dead.runs());
  }

  @Test
  void aDeadLetterOfAWaitingRunIsSentAgain() {
    RunKey run = created();
    queue.receive(1, 0).forEach(queue::delete);
    dead.send(run, 0);

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(Instant.MAX);

    assertEquals(List.of(run), queue.runs());
    assertEquals(List.of(), dead.runs());
    assertEquals(1, swept.handled());
    assertFalse(swept.failed());
    assertEquals(runs.load(run), models.snapshot(run).orElseThrow());
  }

  @Test
  void movesARunOnWhoseRecordCouldNotBeHandled() {
    RunKey run = created();
    runs.execute(run, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
    runs.execute(
        run,
        new RunCommand.Report("attempt-1", List.of(new RunEvent.AttemptCompleted(1, "attempt-1"))));
    streamFailures.send(run, 0);

    sweep(Lanes.one()).sweep(Instant.MAX);

    assertInstanceOf(RunState.Completed.class, models.snapshot(run).orElseThrow());
    assertEquals(List.of(), streamFailures.runs());
  }

  @Test
  void handlesARunOnceHoweverManyOfItsMessagesThereAre() {
    RunKey run = created();
    queue.receive(1, 0).forEach(queue::delete);
    for (int i = 0; i < RunQueue.RECEIVE_MAX; i++) {
      dead.send(run, 0);
    }

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(Instant.MAX);

    assertEquals(List.of(run), queue.runs());
    assertEquals(1, swept.handled());
    assertEquals(List.of(), dead.runs());
  }

  /// What is sent while a run is handled may be newer than what was read of it.
  @Test
  void leavesAMessageThatHandlingItsRunBringsToTheNextSweep() {
    RunKey run = created();
    queue.receive(1, 0).forEach(queue::delete);
    dead.send(run, 0);
    SweepRuns sweep = sweep(Lanes.one(), new EchoingQueue(dead));

    SweepRuns.Swept swept = sweep.sweep(Instant.MAX);

    assertEquals(1, swept.handled());
    assertEquals(List.of(run), dead.runs());
  }

  @Test
  void triesEachDeadLetterOfOneReceiveThoughTheLogIsDownAndReceivesNoMore() {
    for (int i = 0; i < 3 * RunQueue.RECEIVE_MAX; i++) {
      dead.send(created(), 0);
    }
    log.down = true;

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(Instant.MAX);

    assertEquals(RunQueue.RECEIVE_MAX, swept.failures().size());
    assertTrue(swept.left());
    assertTrue(swept.failed());
    assertEquals(0, swept.handled());
  }

  @Test
  void aRunThatCannotBeHandledHoldsNoOtherUp() {
    RunKey broken = created();
    RunKey other = created();
    log.broken.add(broken);
    dead.send(broken, 0);
    dead.send(other, 0);

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(Instant.MAX);

    assertEquals(1, swept.handled());
    assertEquals(
        List.of(broken.partition()),
        swept.failures().stream().map(SweepRuns.SweepFailure::subject).toList());
    assertEquals(List.of(broken), dead.runs());
  }

  @Test
  void tellsRunsThatWaitWhyNoRunnerStarts() {
    List<RunKey> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(created());
    }
    fleet.refuse(Optional.of(new StartFailure(StartFailure.Cause.NO_IMAGE, "no such image")));

    SweepRuns.Swept swept = sweep(Lanes.one()).sweep(Instant.MAX);

    assertTrue(swept.blocked());
    assertTrue(swept.failed());
    assertEquals(all.size(), swept.handled());
    for (RunKey run : all) {
      RunState.Existing shown = models.snapshot(run).orElseThrow();
      assertEquals("no_image", shown.blocked().orElseThrow().cause());
    }
  }

  @Test
  void tellsNothingMoreOnceItsTimeIsOverOrTheLogIsDown() {
    fleet.refuse(Optional.of(new StartFailure(StartFailure.Cause.NO_IMAGE, "no such image")));
    for (int i = 0; i < 300; i++) {
      created();
    }
    SweepRuns.Swept late = sweep(Lanes.one()).sweep(clock.instant());
    assertEquals(0, late.handled());
    assertTrue(late.left());

    log.down = true;
    SweepRuns.Swept down = sweep(Lanes.one()).sweep(Instant.MAX);

    assertTrue(down.blocked());
    assertTrue(down.left());
    assertEquals(SweepRuns.UNAVAILABLE_MAX * ReadModels.DUE_SHARDS, down.failures().size());
  }

  private SweepRuns sweep(Lanes lanes) {
    return sweep(lanes, dead);
  }

  private SweepRuns sweep(Lanes lanes, RunQueue deadLetters) {
    return new SweepRuns(
        new OpenRuns(models, advance, _ -> true),
        deadLetters,
        streamFailures,
        new ScaleRunners(queue, new MemorySlots(), fleet, new FleetSize(0, 10, 4), ids, _ -> {}),
        lanes,
        clock);
  }

  private RunKey created() {
    RunKey run = new RunKey("default", ids.runId(clock.instant()));
    RunRequest request = SampleRequests.of("echo", run.runId(), 3600);
    models.save((RunState.Existing) runs.execute(run, new RunCommand.Submit(request)).state());
    queue.send(run, 0);
    return run;
  }

  /// A queue in which each message that is deleted is followed by another of the same run.
  private record EchoingQueue(RunQueue queue) implements RunQueue {
    @Override
    public void send(QueueMessage message, int delaySeconds) {
      queue.send(message, delaySeconds);
    }

    @Override
    public List<Ticket> receive(int max, int waitSeconds) {
      return queue.receive(max, waitSeconds);
    }

    @Override
    public List<Ticket> extend(List<Ticket> tickets, int seconds) {
      return queue.extend(tickets, seconds);
    }

    @Override
    public Depth depth() {
      return queue.depth();
    }

    @Override
    public void delete(Ticket ticket) {
      queue.delete(ticket);
      queue.send(ticket.run(), 0);
    }
  }

  private static final class Outage implements EventLog {
    private final EventLog log = new MemoryEventLog();
    private final Set<StreamKey> broken = new HashSet<>();
    private boolean down;

    @Override
    public AppendResult append(Chunk chunk) {
      return answer().append(chunk);
    }

    @Override
    public List<Chunk> chunksAfter(StreamKey key, long sequence) {
      if (broken.contains(key)) {
        throw new IllegalStateException("a broken log");
      }
      return answer().chunksAfter(key, sequence);
    }

    @Override
    public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
      return answer().chunkAt(key, sequence);
    }

    private EventLog answer() {
      if (down) {
        throw new PortUnavailable("no answer");
      }
      return log;
    }
  }
}
