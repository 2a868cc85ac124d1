package dev.runyard.bench.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Does the same from many virtual threads at once.
final class ScenarioThreads {
  /// Longer than anything here takes; what is not done by then never will be.
  static final Duration WAIT_MAX = Duration.ofMinutes(10);

  private ScenarioThreads() {}

  /// What one of the threads does.
  @FunctionalInterface
  interface Task {
    void run(int number) throws Exception;
  }

  /// Runs the task for 0 to `count` - 1, `lanes` of them at a time, each taken to its end. What
  /// throws, or does not end, is a finding.
  static void run(String doing, int count, int lanes, Findings findings, Task task)
      throws InterruptedException {
    List<Callable<Void>> calls = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      int first = lane;
      calls.add(
          () -> {
            for (int number = first; number < count; number += lanes) {
              task.run(number);
            }
            return null;
          });
    }
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      for (Future<Void> done : threads.invokeAll(calls, WAIT_MAX.toSeconds(), TimeUnit.SECONDS)) {
        ended(doing, done, findings);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void ended(String doing, Future<Void> done, Findings findings)
      throws InterruptedException {
    try {
      done.get();
    } catch (ExecutionException e) {
      findings.failed(doing, e.getCause() == null ? e : e.getCause());
    } catch (CancellationException e) {
      findings.failed(doing + " within " + WAIT_MAX.toMinutes() + " min", e);
    }
  }
}
