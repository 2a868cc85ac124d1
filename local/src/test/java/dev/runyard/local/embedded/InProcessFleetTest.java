package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runyard.core.fleet.RunnerFleet.Fate;
import dev.runyard.core.fleet.RunnerFleet.Start;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.secret.SecretVault;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.embedded.StoreSettings;
import dev.runyard.local.emulator.TaskTemplate;
import dev.runyard.local.template.TaskDeclaration;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InProcessFleetTest {
  private static final Map<String, String> VARIABLES =
      Map.ofEntries(
          Map.entry("RUNYARD_RETENTION_DAYS", "8"),
          Map.entry("RUNYARD_AGENTS", "{\"agents\":{}}"),
          Map.entry("RUNYARD_RUNNERS_MIN", "1"),
          Map.entry("RUNYARD_RUNNER_AGE_MAX_SECONDS", "3600"),
          Map.entry("RUNYARD_RUNS_PER_RUNNER", "1"),
          Map.entry("RUNYARD_FLUSH_MILLIS", "4"),
          Map.entry("RUNYARD_GATHER_MILLIS", "0"),
          Map.entry("RUNYARD_TAIL_MILLIS", "250"),
          Map.entry("RUNYARD_IDLE_SECONDS", "60"),
          Map.entry("RUNYARD_AWAIT_GRACE_SECONDS", "60"),
          Map.entry("RUNYARD_WORK_DIR", "/work"));

  @TempDir private Path folder = Path.of("");

  private EmbeddedStore store;

  @BeforeEach
  void open() {
    store =
        EmbeddedStore.open(
            new StoreSettings(folder.resolve("store"), Duration.ofDays(8)),
            InstantSource.system(),
            new RandomIds(new Random(1)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void startsOneRunnerForAClaim() {
    Slots slots = store.slots();
    slots.write(new Slot.Free(0, 0).claim("claim", Instant.now()));
    try (InProcessFleet fleet = fleet(VARIABLES)) {
      String task = task(fleet.start(0, "claim"));
      assertEquals(task, task(fleet.start(0, "claim")));
      assertInstanceOf(Fate.Alive.class, fleet.look(List.of(task)).get(task));
      while (!(slots.read().slot(0) instanceof Slot.Held)) {
        Thread.onSpinWait();
      }
    }
    assertInstanceOf(Slot.Free.class, slots.read().slot(0), "it gave its slot back");
  }

  @Test
  void saysWhyARunnerDidNotStart() {
    try (InProcessFleet fleet = fleet(Map.of())) {
      String task = task(fleet.start(0, "claim"));
      Fate fate = fleet.look(List.of(task)).get(task);
      while (fate instanceof Fate.Alive) {
        fate = fleet.look(List.of(task)).get(task);
      }
      Fate.Stopped stopped = assertInstanceOf(Fate.Stopped.class, fate);
      assertTrue(stopped.why().detail().contains("is not set"), stopped::toString);
    }
  }

  @Test
  void knowsNoTasksOfAnEarlierProcess() {
    try (InProcessFleet fleet = fleet(VARIABLES)) {
      assertEquals(Map.of("0-old", new Fate.Missing()), fleet.look(List.of("0-old")));
    }
  }

  @Test
  void startsNoneOnceItCloses() {
    InProcessFleet fleet = fleet(VARIABLES);
    fleet.close();
    assertThrows(PortUnavailable.class, () -> fleet.start(0, "claim"));
  }

  private static String task(Start start) {
    return assertInstanceOf(Start.Started.class, start).task();
  }

  private InProcessFleet fleet(Map<String, String> variables) {
    TaskDeclaration task =
        new TaskDeclaration(
            "Task",
            "runner",
            "runner",
            "runner:1",
            MissingNode.getInstance(),
            TestPatience.LONG,
            Map.of("/work", "work"));
    return new InProcessFleet(
        store,
        new RunnerPlace(
            new TaskTemplate(task, variables, List.of()),
            folder,
            Map.of(),
            ProcessLauncher.onThisMachine(),
            Isolation.NONE),
        new Leftovers(store, Isolation.NONE),
        SecretVault.EMPTY);
  }
}
