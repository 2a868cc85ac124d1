package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.testkit.threads.KeptCarriers;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a worker's runs need of the machine's threads.
final class WorkerThreadsTest {

  @TempDir private Path directory;

  @Test
  void runsGoOnWhileVirtualThreadsLoadClasses() throws InterruptedException {
    RunnerRig rig = new RunnerRig(directory);
    RunKey run = rig.submit("echo", Map.of());
    Worker worker =
        rig.worker(new AgentGateway(List.of(new EchoBackend())), 1, Duration.ofSeconds(2));

    try (KeptCarriers _ = new KeptCarriers()) {
      assertTrue(Thread.ofPlatform().daemon().start(worker::run).join(TestPatience.LONG));
    }

    assertEquals("task.attempt.completed", rig.types(run).getLast());
    worker.drain();
    assertFalse(rig.printed().contains("told_to_stop"), "there was nothing left to stop");
  }
}
