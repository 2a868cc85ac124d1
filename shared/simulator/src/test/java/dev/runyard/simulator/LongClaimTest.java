package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.attempt.AttemptClaim;
import dev.runyard.core.attempt.AttemptLoop;
import dev.runyard.core.attempt.AttemptPorts;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.attempt.RunnerShare;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.log.StreamLog;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.projection.WholeSnapshots;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import dev.runyard.core.wakeup.ProcessWakeups;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A runner claims a run of which no function has heard while an attempt wrote much, and reads all
/// of that: on a small machine longer than its lease.
final class LongClaimTest {
  private static final int CHUNK_EVENTS = 600;
  private static final int READ_EVENTS = EventLog.READ_CHUNKS_MAX * CHUNK_EVENTS;
  private static final int READS = 6;

  /// For one read.
  private static final Duration SLOW = Duration.ofSeconds(10);

  private static final RunKey RUN = new RunKey("default", "019c0000-0000-7000-8000-000000000001");

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(3));
  private final LongLog log = new LongLog();
  private final MemoryRunQueue queue = new MemoryRunQueue(clock, Limits.LEASE_SECONDS);

  @Test
  void readsSomeInEachStepAndKeepsItsMessage() {
    lost();
    queue.send(RUN, 0);
    AttemptLoop loop = claiming();
    Instant began = clock.instant();
    log.read();

    for (int i = 0; i < READS; i++) {
      assertInstanceOf(Step.Again.class, loop.step(clock.instant()));
      long read = log.read();
      assertTrue(read <= StreamLog.LOAD_EVENTS_MAX + READ_EVENTS, read + " events in step " + i);
      assertEquals(List.of(), queue.receive(1, 0), "in step " + i);
    }
    loop.step(clock.instant());

    assertTrue(log.read() < READ_EVENTS);
    assertTrue(clock.instant().isAfter(began.plusSeconds(Limits.LEASE_SECONDS)));
    assertEquals("attempt-2", ((RunState.Claimed) runs(Snapshots.none()).load(RUN)).attempt().id());
  }

  @Test
  void givesItsMessageBackOnceItsRunnerStops() {
    lost();
    queue.send(RUN, 0);
    AttemptLoop loop = claiming();
    loop.step(clock.instant());

    loop.drain();

    assertEquals(new Step.Over(Step.Verdict.DEFERRED), loop.step(clock.instant()));
    assertEquals(1, queue.receive(1, 0).size());
  }

  private AttemptLoop claiming() {
    AttemptTiming timing =
        new AttemptTiming(
            Duration.ofMillis(100),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(Limits.LEASE_SECONDS));
    log.reading(() -> clock.advance(SLOW));
    RunLog runs = runs(new WholeSnapshots(new MemoryReadModels(), log));
    return new AttemptLoop(
        new AttemptPorts(runs, queue, new ProcessWakeups()),
        RunnerShare.of("runner-2", timing),
        new NoAgents(),
        timing,
        new AttemptClaim(queue.receive(1, 0).getFirst(), "attempt-2", "runner-2"),
        clock.instant());
  }

  /// A run that waits for its second attempt. The first said much.
  private void lost() {
    RunLog writer = runs(Snapshots.none());
    List<RunCommand> commands = new ArrayList<>();
    commands.add(new RunCommand.Submit(LongLog.request(RUN, Map.of())));
    commands.add(new RunCommand.Claim("attempt-1", "runner", "t-1", clock.instant()));
    commands.addAll(
        Collections.nCopies(
            READS * EventLog.READ_CHUNKS_MAX,
            new RunCommand.Report("attempt-1", Collections.nCopies(CHUNK_EVENTS, LongLog.TALK))));
    Failure lost = Failure.backend("runner_lost", "It was lost.");
    commands.add(
        new RunCommand.Report(
            "attempt-1", List.of(new RunEvent.AttemptFailed(1, "attempt-1", lost))));
    commands.add(new RunCommand.Advance(clock.instant()));
    RunState at = RunState.absent();
    for (RunCommand command : commands) {
      at = writer.execute(RUN, at, command).state();
    }
    assertInstanceOf(RunState.Retrying.class, at);
  }

  private RunLog runs(Snapshots<RunState> snapshots) {
    return new RunLog(log, snapshots, RunDecider.rules(), clock, ids, "test");
  }

  private static final class NoAgents implements AgentLauncher {
    @Override
    public AgentStart prepare(RunFacts facts, Attempt attempt) {
      throw new IllegalStateException("only claims");
    }

    @Override
    public Optional<Keeping> keep(boolean completed) {
      return Optional.empty();
    }

    @Override
    public void endLost(RunKey run, String attemptId) {}
  }
}
