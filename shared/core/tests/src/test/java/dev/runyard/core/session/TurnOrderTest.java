package dev.runyard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryIdempotencyStore;
import dev.runyard.core.memory.MemoryPlaces;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemorySessionQueue;
import dev.runyard.core.memory.MemoryTenantUses;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.quota.RunAdmission;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.wakeup.ProcessWakeups;
import dev.runyard.core.wakeup.WakeRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TurnOrderTest {
  private static final String TENANT = "default";
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final MemoryEventLog log = new MemoryEventLog();
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);
  private final MemorySessionQueue sessions = new MemorySessionQueue();
  private final RunLog runs =
      new RunLog(log, Snapshots.none(), RunDecider.rules(), clock, ids, "test");
  private final TurnOrder turns = MemoryPlaces.turns(log, sessions, runs, queue, clock, ids);
  private final SubmitRun submit =
      new SubmitRun(
          runs,
          log,
          new SubmitRun.Admission(
              turns,
              (_, _) -> Optional.empty(),
              new RunAdmission(Quotas.NONE, new MemoryTenantUses(), clock)),
          new MemoryIdempotencyStore(),
          clock,
          ids);
  private final AdvanceRun advance = new AdvanceRun(runs, turns, clock);
  private final CancelRun cancel = new CancelRun(runs, new WakeRunner(new ProcessWakeups(), ids));

  @Test
  void runsOfASessionGoOneAfterAnother() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");
    RunKey third = submitted("s-1");

    assertEquals(List.of(first), sent());
    end(first);
    assertEquals(List.of(second), sent());
    end(second);
    assertEquals(List.of(third), sent());
  }

  @Test
  void aRunThatEndedBeforeItsMessageWasSentNeedsNone() {
    RunKey run = submitted("s-1");
    RunState.Existing before = (RunState.Existing) runs.load(run);
    end(run);
    sent();

    assertEquals(before, turns.send(before, 0));
    assertEquals(List.of(), sent());
  }

  @Test
  void sessionsDoNotWaitForEachOther() {
    RunKey first = submitted("s-1");
    RunKey other = submitted("s-2");
    RunKey own = submitted("");

    assertEquals(List.of(first, other, own), sent());
  }

  @Test
  void aRunThatNamesTheSessionOfARunWithoutOneWaitsForIt() {
    RunKey first = submitted("");
    RunKey second = submitted(first.runId());

    assertEquals(List.of(first), sent());
    end(first);
    assertEquals(List.of(second), sent());
  }

  @Test
  void aRunCancelledBeforeItsTurnIsPassedOver() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");
    RunKey third = submitted("s-1");
    sent();
    runs.execute(first, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));

    end(second);
    assertEquals(List.of(), sent());
    RunCommand failed =
        new RunCommand.Report(
            "attempt-1",
            List.of(new RunEvent.AttemptFailed(1, "attempt-1", Failure.notAnswered())));
    runs.execute(first, failed);
    advance.advance(first);
    assertEquals(List.of(third), sent());
  }

  @Test
  void theSweepRepairsOnlyALostRelease() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");
    sent();

    clock.advance(Duration.ofSeconds(Limits.RESEND_SECONDS));
    advance.advance(second);
    assertEquals(List.of(), sent(), "before its turn");

    cancel.cancel(first, "test", "somebody");
    runs.execute(first, new RunCommand.Advance(clock.instant()));
    clock.advance(Duration.ofSeconds(2L * Limits.RESEND_SECONDS));
    advance.advance(second);
    assertEquals(List.of(second), sent(), "when nobody released it");
  }

  /// The first run waits for a person for longer than a run may wait for a runner.
  @Test
  void aRunWhoseTurnHasNotComeIsNotSentAndItsTimeHasNotBegun() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");
    sent();
    runs.execute(first, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
    report(first, new RunEvent.ProcessStarted("process-1", "echo"));

    for (int i = 0; i < 30; i++) {
      clock.advance(Duration.ofHours(1));
      report(first, new RunEvent.RunStatus("running"));
      assertFalse(advance.wantsRunner(advance.advance(second)), "hour " + i);
    }
    assertEquals(List.of(), sent());
    report(first, new RunEvent.AttemptFailed(1, "attempt-1", Failure.notAnswered()));
    advance.advance(first);
    assertEquals(List.of(second), sent());
    assertTrue(advance.wantsRunner(advance.advance(second)));

    clock.advance(Duration.ofSeconds(Limits.QUEUED_SECONDS_MAX).minusSeconds(1));
    assertFalse(advance.advance(second).closed());
    clock.advance(Duration.ofSeconds(1));
    assertTrue(advance.advance(second).closed());
  }

  @Test
  void aRunIsSeenToWaitBeforeItsLogSaysSo() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");

    assertTrue(turns.mayBeFirst(state(first)));
    assertFalse(turns.mayBeFirst(state(second)));
    RunKey own = submitted("");
    submitted(own.runId());
    assertTrue(turns.mayBeFirst(state(own)), "it begins its session");
  }

  @Test
  void aLostReleaseIsRepeatedWhenTheEndedRunIsAdvancedAgain() {
    RunKey first = submitted("s-1");
    RunKey second = submitted("s-1");
    sent();
    cancel.cancel(first, "test", "somebody");
    runs.execute(first, new RunCommand.Advance(clock.instant()));
    assertEquals(List.of(), sent(), "ended by somebody who then died");

    advance.advance(first);

    assertEquals(List.of(second), sent());
  }

  /// The run before it ends, and the process that ended it dies, between the read and the write.
  @Test
  void aRunThatJoinsLooksOnceMoreAfterItsPlaceIsWritten() {
    RunKey first = submitted("s-1");
    sent();
    AtomicBoolean once = new AtomicBoolean();
    EventLog between =
        new EventLog() {
          @Override
          public AppendResult append(Chunk chunk) {
            if (!once.getAndSet(true)) {
              cancel.cancel(first, "test", "somebody");
              runs.execute(first, new RunCommand.Advance(clock.instant()));
            }
            return log.append(chunk);
          }

          @Override
          public List<Chunk> chunksAfter(StreamKey key, long sequence) {
            return log.chunksAfter(key, sequence);
          }

          @Override
          public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
            return log.chunkAt(key, sequence);
          }
        };
    RunKey second = new RunKey(TENANT, ids.runId(clock.instant()));
    RunLog.Outcome made =
        runs.execute(second, RunState.absent(), new RunCommand.Submit(request("s-1")));

    MemoryPlaces.turns(between, runs, queue, clock, ids).send((RunState.Existing) made.state(), 0);

    assertEquals(List.of(second), sent());
  }

  /// An earlier release has put them in order; the third comes now.
  @Test
  void takesTheOrderOfAnEarlierReleaseOver() {
    RunKey first = created("s-1");
    RunKey second = created("s-1");
    sessions.write(
        TENANT, "s-1", new SessionQueue.Turns(0, List.of(second.runId(), first.runId())));
    RunKey third = submitted("s-1");

    assertEquals(List.of(), sent());
    assertEquals(
        List.of(second.runId(), first.runId(), third.runId()),
        turns.turns().read(ThreadTurns.In.of(state(third))).runs());
    end(second);
    assertEquals(List.of(first), sent());
    end(first);
    assertEquals(List.of(third), sent());
  }

  @Test
  void goesOnWithTheOrderOfAnEarlierReleaseWhenOneOfItsRunsEnds() {
    RunKey first = created("s-1");
    RunKey second = created("s-1");
    sessions.write(
        TENANT, "s-1", new SessionQueue.Turns(0, List.of(first.runId(), second.runId())));

    end(first);
    assertEquals(List.of(second), sent());
  }

  /// Whoever sends a run late, after it has ended, does not give it its place again.
  @Test
  void aRunHasItsPlaceOnce() {
    submitted("s-1");
    RunKey second = submitted("s-1");
    RunState.Existing before = state(second);
    end(second);
    ThreadTurns.In in = ThreadTurns.In.of(before);
    assertEquals(1, turns.turns().read(in).runs().size());

    turns.send(before, 0);
    assertEquals(1, turns.turns().read(in).runs().size());
  }

  private RunKey created(String session) {
    RunKey run = new RunKey(TENANT, ids.runId(clock.instant()));
    runs.execute(run, RunState.absent(), new RunCommand.Submit(request(session)));
    return run;
  }

  @Test
  void refusesMoreThanASessionHolds() {
    for (int i = 0; i < TurnOrder.SESSION_RUNS_MAX; i++) {
      submitted("s-1");
    }
    SubmitRun.Result result =
        submit.submit(new SubmitRun.By(TENANT, "somebody"), request("s-1"), Optional.empty());

    SubmitRun.Result.Rejected refused = assertInstanceOf(SubmitRun.Result.Rejected.class, result);
    assertEquals(ProblemCode.SESSION_FULL, refused.problem().code());
  }

  private RunState.Existing state(RunKey run) {
    return (RunState.Existing) runs.load(run);
  }

  private void report(RunKey run, RunEvent event) {
    runs.execute(run, new RunCommand.Report("attempt-1", List.of(event)));
  }

  private void end(RunKey run) {
    cancel.cancel(run, "test", "somebody");
    advance.advance(run);
  }

  private RunKey submitted(String session) {
    return assertInstanceOf(
            SubmitRun.Result.Accepted.class,
            submit.submit(new SubmitRun.By(TENANT, "somebody"), request(session), Optional.empty()))
        .run()
        .facts()
        .run();
  }

  private static RunRequest request(String session) {
    return SampleRequests.echo(session);
  }

  private List<RunKey> sent() {
    List<Ticket> tickets = queue.receive(RunQueue.RECEIVE_MAX, 0);
    tickets.forEach(queue::delete);
    return tickets.stream().map(Ticket::run).toList();
  }
}
