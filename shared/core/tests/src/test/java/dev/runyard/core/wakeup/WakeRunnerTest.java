package dev.runyard.core.wakeup;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class WakeRunnerTest {
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(4));
  private final ProcessWakeups wakeups = new ProcessWakeups();
  private final WakeRunner runners = new WakeRunner(wakeups, ids);
  private final RunLog runs =
      new RunLog(new MemoryEventLog(), Snapshots.none(), RunDecider.rules(), clock, ids, "test");
  private final RunKey run = new RunKey("acme", ids.runId(clock.instant()));

  @Test
  void wakesTheRunnerOfAnOpenAttemptWithANewMarkEachTime() {
    claimed();

    runners.wake(runs.load(run));
    Optional<String> first = wakeups.last("runner-1");
    runners.wake(runs.load(run));

    assertNotEquals(Optional.empty(), first);
    assertNotEquals(first, wakeups.last("runner-1"));
    assertEquals(Optional.empty(), wakeups.last("runner-2"));
  }

  @Test
  void wakesNobodyWhereNoAttemptIsOpen() {
    runners.wake(RunState.absent());
    submitted();
    runners.wake(runs.load(run));
    claim();
    runs.execute(
        run,
        new RunCommand.Report("attempt-1", List.of(new RunEvent.AttemptCompleted(1, "attempt-1"))));
    runners.wake(runs.load(run));

    assertEquals(Optional.empty(), wakeups.last("runner-1"));
  }

  @Test
  void doesWithoutAWakeUpThatGetsNoAnswer() {
    claimed();
    Wakeups away =
        new Wakeups() {
          @Override
          public void send(String runner, String mark) {
            throw new PortUnavailable("no answer");
          }

          @Override
          public Optional<String> last(String runner) {
            return Optional.empty();
          }
        };

    assertDoesNotThrow(() -> new WakeRunner(away, ids).wake(runs.load(run)));
  }

  private void claimed() {
    submitted();
    claim();
  }

  private void claim() {
    runs.execute(run, new RunCommand.Claim("attempt-1", "runner-1", "ticket", clock.instant()));
  }

  private void submitted() {
    runs.execute(run, new RunCommand.Submit(SampleRequests.echo(run.runId())));
  }
}
