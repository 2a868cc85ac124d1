package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The use cases on a store, which is opened again between any two steps.
@ExtendWith(StoreRig.Given.class)
class EmbeddedPortsTest {
  private static final RunRequest REQUEST =
      new RunRequest(
          "echo",
          "say hello",
          "session-1",
          Map.of(),
          List.of(),
          null,
          600,
          Map.of(),
          Map.of(),
          RetryPolicy.NEVER);
  private static final Optional<SubmitRun.Key> KEY =
      Optional.of(new SubmitRun.Key("key", "11".repeat(32)));

  private final RandomIds ids = new RandomIds(new Random(5));
  private final MemoryRunnerFleet fleet = new MemoryRunnerFleet();
  private final StoreRig rig;

  EmbeddedPortsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void bringARunFromItsRequestToItsEnd() {
    RunKey run = submitted();
    assertEquals(run, submitted(), "the same key is the same run");
    deliver();
    assertEquals(List.of(run), listed("created"));
    assertEquals(1, fleet.active(), "a runner was started for it");

    Ticket ticket = ports().queue().receive(1, 0).getFirst();
    execute(run, new RunCommand.Claim("attempt", "runner", ticket.id(), rig.clock().instant()));
    report(run, new RunEvent.TurnStarted(1), new RunEvent.ProcessStarted("process", "echo"));
    report(run, new RunEvent.ModelDelta("hello"), new RunEvent.ModelCompleted());
    deliver();
    assertEquals(List.of(run), listed("in-progress"));

    report(
        run,
        new RunEvent.ProcessCompleted("process", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "attempt"));
    ports().queue().delete(ticket);
    deliver();
    deliver();

    assertEquals(List.of(run), listed("completed"));
    RunState.Existing ended = ports().models().snapshot(run).orElseThrow();
    assertEquals("hello", ended.facts().finalText());
    assertTrue(ended.closed());
    assertEquals(new RunQueue.Depth(0, 0), ports().queue().depth());
    assertEquals(List.of(), ports().turns().read("acme", "session-1").runs());
  }

  private RunKey submitted() {
    rig.reopened();
    return assertInstanceOf(
            SubmitRun.Result.Accepted.class,
            useCases().submitRun().submit(new SubmitRun.By("acme", "me"), REQUEST, KEY))
        .run()
        .facts()
        .run();
  }

  /// Does what `project` and `advance` do with what has changed.
  private void deliver() {
    deliver("project", ChangeFilter.STATE, run -> useCases().projectRun().project(run));
    deliver(
        "advance",
        ChangeFilter.STATE,
        run -> {
          useCases().advanceRun().advance(run);
          useCases()
              .scaleRunners(
                  new FleetSize(0, 2, 4),
                  failure -> {
                    throw new AssertionError(failure);
                  })
              .scale(rig.clock(), 0);
        });
  }

  private void deliver(String name, ChangeFilter filter, Consumer<RunKey> action) {
    ChangeConsumer consumer =
        changes -> {
          changes.stream().map(StreamChange::partition).map(RunKey::ofPartition).forEach(action);
          return OptionalLong.empty();
        };
    ChangeDelivery delivery = new ChangeDelivery(rig.reopened().changes(), name, filter, consumer);
    for (boolean more = true; more; more = delivery.step()) {
      rig.clock().advance(Duration.ofMillis(1));
    }
  }

  private List<RunKey> listed(String status) {
    return ports()
        .models()
        .list("acme", new RunFilter(status, null, null), 10, Optional.empty())
        .runs()
        .stream()
        .map(run -> run.facts().run())
        .toList();
  }

  private void report(RunKey run, RunEvent... events) {
    execute(run, new RunCommand.Report("attempt", List.of(events)));
  }

  private void execute(RunKey run, RunCommand command) {
    rig.reopened();
    assertInstanceOf(RunLog.Outcome.Done.class, useCases().runs().execute(run, command));
  }

  private UseCases useCases() {
    return new UseCases(ports(), rig.clock(), ids, "test");
  }

  private EmbeddedPorts ports() {
    return new EmbeddedPorts(rig.store(), fleet);
  }
}
