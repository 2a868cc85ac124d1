package dev.runyard.functions.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartTrouble;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.StreamEvent;
import dev.runyard.functions.Twins;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Handler handler =
      new Handler(
          twins.advance(),
          twins.scale(),
          new RunBatch(twins.jsonLog(), twins.streamFailures, twins.clock),
          twins.clock,
          twins.jsonLog());

  @Test
  void startsRunnersOnceForABatchOfWaitingRuns() {
    String[] waiting = new String[6];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = twins.submitted("s-" + i).partition();
    }

    handler.handleRequest(StreamEvent.of(waiting), null);
    handler.handleRequest(StreamEvent.of(waiting), null);

    assertEquals(List.of(0, 1), twins.fleet.started());
  }

  @Test
  void startsARunnerForARunTheQueueDoesNotCountYet() {
    RunKey run = twins.submitted();
    twins.queue.receive(1, 0).forEach(twins.queue::delete);

    handler.handleRequest(StreamEvent.of(run.partition()), null);

    assertEquals(List.of(0), twins.fleet.started());
  }

  @Test
  void countsNoRunWhoseTurnHasNotCome() {
    String[] waiting = new String[6];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = twins.submitted("s-1").partition();
    }

    handler.handleRequest(StreamEvent.of(waiting), null);
    handler.handleRequest(StreamEvent.of(waiting), null);

    assertEquals(List.of(0), twins.fleet.started());
  }

  @Test
  void startsNoRunnerWhenNothingWaits() {
    RunKey run = twins.running();

    handler.handleRequest(StreamEvent.of(run.partition()), null);

    assertEquals(List.of(), twins.fleet.started());
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
  void recordsAtOnceInARunThatItsRunnerDoesNotStart() {
    twins.fleet.refuse(Optional.of(new StartFailure(StartFailure.Cause.NO_ADDRESS, "full")));
    RunKey run = twins.submitted();

    handler.handleRequest(StreamEvent.of(run.partition()), null);
    handler.handleRequest(StreamEvent.of(run.partition()), null);

    RunState state = twins.runs().load(run);
    assertEquals("no_address", state.blocked().orElseThrow().cause());
    assertEquals(4, state.sequence(), "told once");
    assertTrue(twins.logged().contains("full"));
  }

  @Test
  void slotsThatCannotBeReadFailNoRun() {
    RunKey run = twins.submitted();
    Handler cut =
        new Handler(
            twins.advance(),
            new ScaleRunners(
                twins.queue,
                new NoSlots(),
                twins.fleet,
                new FleetSize(0, 10, 4),
                twins.ids,
                _ -> {}),
            new RunBatch(twins.jsonLog(), twins.streamFailures, twins.clock),
            twins.clock,
            twins.jsonLog());

    assertTrue(
        cut.handleRequest(StreamEvent.of(run.partition()), null).getBatchItemFailures().isEmpty());
    assertTrue(twins.logged().contains("scale_failed"));
    assertEquals(List.of(), twins.fleet.started());
  }

  private static final class NoSlots implements Slots {
    @Override
    public Fleet read() {
      throw new PortUnavailable("no answer");
    }

    @Override
    public boolean write(Slot slot) {
      throw new AssertionError("not reached");
    }

    @Override
    public boolean write(StartTrouble trouble) {
      throw new AssertionError("not reached");
    }
  }
}
