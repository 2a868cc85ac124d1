package dev.runyard.functions.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunKey;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.StreamEvent;
import dev.runyard.functions.Twins;
import dev.runyard.testkit.memory.MemoryRunnerFleet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Handler handler =
      new Handler(
          twins.drive(),
          twins.scale(),
          new RunBatch(twins.jsonLog(), twins.parked, twins.clock),
          twins.jsonLog());

  @Test
  void startsRunnersOnceForABatchOfWaitingRuns() {
    String[] waiting = new String[6];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = twins.submitted("s-" + i).partition();
    }

    handler.handleRequest(StreamEvent.of(waiting), null);
    handler.handleRequest(StreamEvent.of(waiting), null);

    assertEquals(List.of(new MemoryRunnerFleet.Start(2, "drive-event-6")), twins.fleet.starts());
  }

  @Test
  void startsARunnerForARunTheQueueDoesNotCountYet() {
    RunKey run = twins.submitted();
    twins.queue.receive(1, 0).forEach(twins.queue::delete);

    handler.handleRequest(StreamEvent.of(run.partition()), null);

    assertEquals(List.of(new MemoryRunnerFleet.Start(1, "drive-event-1")), twins.fleet.starts());
  }

  @Test
  void countsNoRunWhoseTurnHasNotCome() {
    String[] waiting = new String[6];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = twins.submitted("s-1").partition();
    }
    for (int i = 0; i < 5; i++) {
      handler.handleRequest(StreamEvent.of(waiting), null);
      twins.clock.advance(Duration.ofHours(1));
    }

    assertEquals(List.of(new MemoryRunnerFleet.Start(1, "drive-event-6")), twins.fleet.starts());
  }

  @Test
  void startsNoRunnerWhenNothingWaits() {
    RunKey run = twins.running();

    handler.handleRequest(StreamEvent.of(run.partition()), null);

    assertTrue(twins.fleet.starts().isEmpty());
  }

  @Test
  void completesARunWhoseAttemptSucceeded() {
    RunKey run = twins.running();
    twins.report(
        run,
        new RunEvent.ProcessCompleted("p-1", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "a-1"));

    handler.handleRequest(StreamEvent.of(run.partition()), null);
    handler.handleRequest(StreamEvent.of(run.partition()), null);

    assertTrue(twins.runs().load(run).closed());
    assertEquals(9, twins.runs().load(run).sequence());
  }

  @Test
  void reportsARunTheLogDoesNotAnswerFor() {
    RunKey run = twins.running();
    twins.log.begin(new PortUnavailable("no answer"));

    assertEquals(
        "1",
        handler
            .handleRequest(StreamEvent.of(run.partition()), null)
            .getBatchItemFailures()
            .getFirst()
            .getItemIdentifier());
  }

  @Test
  void aFleetThatFailsFailsNoRun() {
    RunKey run = twins.submitted();
    Handler cut =
        new Handler(
            twins.drive(),
            new ScaleRunners(twins.queue, new NoFleet(), 10, 4),
            new RunBatch(twins.jsonLog(), twins.parked, twins.clock),
            twins.jsonLog());

    assertTrue(
        cut.handleRequest(StreamEvent.of(run.partition()), null).getBatchItemFailures().isEmpty());
    assertTrue(twins.logged().contains("scale_failed"));
  }

  private static final class NoFleet implements RunnerFleet {
    @Override
    public int active() {
      throw new PortUnavailable("no answer");
    }

    @Override
    public void start(int count, String token) {
      throw new AssertionError("not reached");
    }
  }
}
