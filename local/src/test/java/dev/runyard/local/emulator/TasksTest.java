package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.local.template.TaskDeclaration;
import dev.runyard.needs.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TasksTest {
  /// Asked for the time once a task starts, and once more when its end is recorded.
  private static final class HeldClock implements InstantSource {
    private final Thread starting = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public Instant instant() {
      if (Thread.currentThread() != starting) {
        ended.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return Instant.EPOCH;
    }
  }

  @TempDir private Path folder = Path.of("");

  @Test
  void closesOnceTheEndOfEachTaskIsRecorded() throws Exception {
    HeldClock clock = new HeldClock();
    Path program = Program.write(folder.resolve("program"), "#!/bin/sh\nexec sleep 1000\n");
    Tasks tasks =
        new Tasks(
            List.of("Cluster"),
            new TaskLaunch(program, "", "Main", List.of()),
            folder,
            Map.of(),
            clock);
    tasks.start("Cluster", template(), "test", Map.of()).askToStop("enough");
    clock.ended.await();
    Thread closing = Thread.ofPlatform().start(tasks::close);
    while (closing.getState() != Thread.State.WAITING && closing.isAlive()) {
      Thread.onSpinWait();
    }

    assertTrue(closing.isAlive(), "it waits for the record of the end");
    clock.released.countDown();
    closing.join();
    assertEquals("", Files.readString(folder.resolve("pids")));
  }

  private static TaskTemplate template() {
    return new TaskTemplate(
        new TaskDeclaration(
            "RunnerTask",
            "fake-runner",
            "runner",
            "registry.example/runner:1",
            JsonNodeFactory.instance.arrayNode(),
            Duration.ofSeconds(1),
            Map.of()),
        Map.of(),
        List.of());
  }
}
