package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.testkit.threads.TestPatience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A run's signals, taken as an attempt takes them.
public record Signals(List<RunEvent> events, AgentSignal.Ended end) {
  private static final long WAIT_NANOS = TestPatience.LONG.toNanos();
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /// Takes everything up to the end, which must come.
  public static Signals of(AgentRun run) {
    List<RunEvent> events = new ArrayList<>();
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (System.nanoTime() < deadline) {
      for (AgentSignal signal : run.take(1000)) {
        switch (signal) {
          case AgentSignal.Output output -> events.add(output.event());
          case AgentSignal.Asked asked -> throw new AssertionError(asked);
          case AgentSignal.Took took -> throw new AssertionError(took);
          case AgentSignal.Ended end -> {
            return new Signals(events, end);
          }
        }
      }
      await(run);
    }
    throw new AssertionError("the run told no end, but " + events.size() + " events");
  }

  /// The next event, which must come.
  public static RunEvent next(AgentRun run) {
    List<AgentSignal> taken = new ArrayList<>();
    until(
        () -> {
          taken.addAll(run.take(1));
          return !taken.isEmpty();
        });
    return ((AgentSignal.Output) taken.getFirst()).event();
  }

  /// Waits until the condition holds.
  public static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it did not happen");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// Waits until the thread waits.
  public static void untilWaiting(Thread thread) {
    until(() -> thread.getState() == Thread.State.WAITING);
  }

  public String text() {
    StringBuilder text = new StringBuilder();
    for (RunEvent event : events) {
      if (event instanceof RunEvent.ModelDelta delta) {
        text.append(delta.text());
      }
    }
    return text.toString();
  }

  private static void await(AgentRun run) {
    try {
      run.awaitSignal(LOOK);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
