package dev.runyard.core.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.advance.Lanes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.message.Message;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.transcript.MessageEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The wiring: what one use case writes, the others find.
final class UseCasesTest {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(8));
  private final MemoryEventLog log = new MemoryEventLog();
  private final MemoryPorts ports = new MemoryPorts(log, clock);
  private final UseCases cases = new UseCases(ports, clock, ids, "api");

  @Test
  void aRunIsSubmittedExecutedAdvancedAndShown() {
    RunKey run = submitted();
    cases.projectRun().project(run);
    cases
        .sweepRuns(cases.scaleRunners(new FleetSize(0, 1, 1), _ -> {}), Lanes.one())
        .sweep(Instant.MAX);
    assertEquals(List.of(0), ports.fleet().started());

    UseCases runner = cases.of("runner");
    List<RunEvent> said = new ArrayList<>(MessageEvents.whole(Message.text("agent", "hello")));
    said.add(new RunEvent.AttemptCompleted(1, "attempt-1"));
    runner
        .attemptedRuns()
        .execute(run, new RunCommand.Claim("attempt-1", "r", "ticket", clock.instant()));
    runner.attemptedRuns().execute(run, new RunCommand.Report("attempt-1", said));
    assertEquals("runner", log.chunkAt(run, Long.MAX_VALUE).orElseThrow().writer());
    assertInstanceOf(RunState.Completed.class, cases.advanceRun().advance(run));

    assertTrue(cases.projectRun().ended(run));
    assertTrue(ports.models().snapshot(run).orElseThrow().closed());
    assertEquals("completed", cases.readRun().now(run).orElseThrow().path("status").textValue());
    assertEquals(2, cases.sessionHistory().of("acme", run.runId()).orElseThrow().size());
  }

  /// Whoever writes in another's name knows what the other has seen.
  @Test
  void oneProcessReadsWhatItHasSeenOnceOnly() {
    RunKey run = submitted();
    RunState seen = cases.runs().load(run);
    clock.advance(Duration.ofSeconds(10));
    runnersOwn(run);

    RunState state = cases.of("other").runs().load(run);

    assertEquals(seen.sequence() + 1, state.sequence());
    assertEquals(state, cases.runs().load(run));
  }

  private void runnersOwn(RunKey run) {
    new UseCases(ports, clock, ids, "runner")
        .runs()
        .execute(run, new RunCommand.Claim("attempt-1", "r", "ticket", clock.instant()));
  }

  private RunKey submitted() {
    RunRequest request = SampleRequests.echo("");
    SubmitRun.Result result =
        cases.submitRun().submit(new SubmitRun.By("acme", "somebody"), request, Optional.empty());
    return assertInstanceOf(SubmitRun.Result.Accepted.class, result).run().facts().run();
  }
}
