package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A worker whose queue does not answer.
@Execution(ExecutionMode.CONCURRENT)
final class UnreachableQueueTest {
  @TempDir private Path directory;
  private final AgentGateway gateway = new AgentGateway(List.of(new EchoBackend()));
  private final List<Worker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private RunnerRig rig;

  @BeforeEach
  void open() {
    rig = new RunnerRig(directory);
  }

  @AfterEach
  void stopWhatWasStarted() throws InterruptedException {
    workers.forEach(Worker::drain);
    for (Thread thread : threads) {
      thread.interrupt();
      assertTrue(thread.join(TestPatience.LONG));
    }
  }

  @Test
  void continuesWhenTheQueueAnswersAgain() {
    rig.queue.down(true);
    start();
    Signals.until(() -> rig.queue.refused() >= 2);
    rig.queue.down(false);

    RunKey run = rig.submit("echo", Map.of());

    rig.untilLogged(run, "task.attempt.completed");
    assertTrue(rig.printed().contains("queue_unreachable"));
  }

  @Test
  void asksAQueueThatIsDownOnlyNowAndThen() {
    rig.queue.down(true);
    long start = System.nanoTime();
    start();

    Signals.until(() -> rig.queue.refused() >= 3);

    assertTrue(System.nanoTime() - start > 1_500_000_000L);
  }

  private void start() {
    Worker worker = rig.worker(gateway, 2, Duration.ofMinutes(10));
    workers.add(worker);
    threads.add(Thread.ofPlatform().daemon().name("worker").start(worker::run));
  }
}
