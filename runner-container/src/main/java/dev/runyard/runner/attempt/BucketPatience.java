package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.AwaitedStore;
import dev.runyard.core.ids.RunKey;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.process.Pacer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// How long one attempt waits for the bucket: while its agent is prepared, which is done beside the
/// attempt. From the agent's start on, and once no agent is to start, each call is made once. The
/// attempt decides: the run's time, a cancel and a stop of the runner end the wait. Thread-safe.
final class BucketPatience implements AwaitedStore.Patience {
  /// How often a waiting thread looks whether it still waits for something.
  static final Duration LOOK = Duration.ofMillis(200);

  private final Pacer pacer;
  private final RunnerLog log;
  private final RunKey run;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean over;

  BucketPatience(AgentSetup setup, RunKey run) {
    this.pacer = setup.services().pacer();
    this.log = setup.log();
    this.run = run;
  }

  /// Nothing is waited for any more.
  void end() {
    over = true;
  }

  @Override
  public boolean lasts(Duration pause) {
    if (!over && told.compareAndSet(false, true)) {
      log.info("bucket_awaited", Map.of("run_id", run.runId()));
    }
    long end = pacer.nanoTime() + pause.toNanos();
    try {
      for (long left = pause.toNanos(); !over && left > 0; left = end - pacer.nanoTime()) {
        pacer.pause(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !over;
  }
}
