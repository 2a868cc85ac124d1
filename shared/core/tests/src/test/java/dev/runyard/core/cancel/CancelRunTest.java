package dev.runyard.core.cancel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CancelRunTest {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(2));
  private final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  private final UseCases cases = new UseCases(ports, clock, ids, "test");
  private final CancelRun cancel = cases.cancelRun();
  private final RunKey run = new RunKey("acme", ids.runId(clock.instant()));

  @Test
  void isInTheLogAndWakesTheRunner() {
    submit();
    cases
        .runs()
        .execute(run, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));

    RunState.Existing cancelling = accepted();

    assertInstanceOf(RunState.Cancelling.class, cancelling);
    assertEquals(cancelling, cases.runs().load(run));
    assertTrue(ports.wakeups().last("runner").isPresent());
    assertEquals(cancelling, accepted(), "again");
  }

  @Test
  void isRefusedWhereThereIsNoRunOrItHasEnded() {
    assertEquals(ProblemCode.RUN_NOT_FOUND, rejected().code());
    submit();
    accepted();
    assertEquals(Optional.empty(), ports.wakeups().last("runner"));
    cases.advanceRun().advance(run);

    Problem problem = rejected();

    assertEquals(ProblemCode.RUN_CLOSED, problem.code());
    assertEquals("The run has ended as cancelled.", problem.detail());
  }

  private RunState.Existing accepted() {
    return assertInstanceOf(
            CancelRun.Result.Accepted.class, cancel.cancel(run, "enough", "somebody"))
        .run();
  }

  private Problem rejected() {
    return assertInstanceOf(
            CancelRun.Result.Rejected.class, cancel.cancel(run, "enough", "somebody"))
        .problem();
  }

  private void submit() {
    cases.runs().execute(run, new RunCommand.Submit(SampleRequests.echo(run.runId())));
  }
}
