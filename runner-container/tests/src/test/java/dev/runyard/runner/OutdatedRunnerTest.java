package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.aws.Settings;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunForm;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A runner among functions of another release.
final class OutdatedRunnerTest {
  private static final Duration NEVER_IDLE = Duration.ofHours(1);

  @TempDir private Path directory;

  @Test
  void leavesARunOfANewerReleaseToOthersAndTakesNoFurtherOne() throws Exception {
    RunnerRig rig = new RunnerRig(directory);
    RunKey newer = rig.submit("echo", Map.of());
    rig.append(newer, new RunEvent.TaskQueued(1, 0, 0, null, RunForm.CURRENT + 1));

    Thread worker = start(rig);

    assertTrue(worker.join(TestPatience.LONG), "it would never be idle");
    assertInstanceOf(RunState.Created.class, rig.state(newer));
    assertEquals(1, rig.queue.depth().inFlight(), "the message comes back");
    assertTrue(rig.printed().contains("\"outdated\""));
    assertInstanceOf(Slot.Free.class, rig.slots.read().slot(3));
  }

  @Test
  void doesNotStartForFunctionsThatWriteNewerRuns() throws Exception {
    ExitedRunner exit = main(Integer.toString(RunForm.CURRENT + 1));

    assertEquals(Main.EXIT_OUTDATED, exit.status());
    assertTrue(exit.printed().contains("\"code\":\"outdated\""), exit.printed());
  }

  /// It then lacks all its other settings.
  @Test
  void startsForFunctionsOfItsOwnReleaseAndForOlderOnes() throws Exception {
    for (String form : List.of(Integer.toString(RunForm.CURRENT), "")) {
      ExitedRunner exit = main(form);

      assertNotEquals(Main.EXIT_OUTDATED, exit.status());
      assertTrue(exit.printed().contains("is not set"), exit.printed());
    }
  }

  private static Thread start(RunnerRig rig) {
    AgentGateway gateway = new AgentGateway(List.of(new EchoBackend()));
    Worker worker = rig.worker(gateway, 4, NEVER_IDLE);
    return Thread.ofPlatform().daemon().name("worker").start(worker::run);
  }

  private static ExitedRunner main(String form) throws Exception {
    return ExitedRunner.of(Map.of(Settings.FORM, form));
  }
}
