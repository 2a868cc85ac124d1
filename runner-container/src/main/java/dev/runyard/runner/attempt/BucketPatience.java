package dev.runyard.runner.attempt;

import dev.runyard.core.artifact.AwaitedStore;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.process.Pacer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/// How long one attempt waits for the bucket: while its agent is prepared, which is done beside the
/// attempt. From the agent's start on, and once no agent is to start, each call is made once. The
/// attempt decides: the run's time, a cancel and a stop of the runner end the wait. Thread-safe.
final class BucketPatience implements AwaitedStore.Patience {
  /// How often a waiting thread looks whether it still waits for something.
  static final Duration LOOK = Duration.ofMillis(200);

  /// How often it is told that somebody waits, and for what.
  private static final Duration TELL = Duration.ofMinutes(10);

  private final Pacer pacer;
  private final RunnerLog log;
  private final RunKey run;
  private final AtomicLong toldNanos = new AtomicLong(Long.MIN_VALUE);
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
  public boolean lasts(Duration pause, PortUnavailable why) {
    long now = pacer.nanoTime();
    long told = toldNanos.get();
    boolean due = told == Long.MIN_VALUE || now - told >= TELL.toNanos();
    if (!over && due && toldNanos.compareAndSet(told, now)) {
      // What a port says is its own words and the service's code: the one way to know a right that
      // the runner lacks from an outage.
      String said = Objects.requireNonNullElse(why.getMessage(), "");
      log.info("bucket_awaited", Map.of("run_id", run.runId(), "why", said));
    }
    long end = now + pause.toNanos();
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
