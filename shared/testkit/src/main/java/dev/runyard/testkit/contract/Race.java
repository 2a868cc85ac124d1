package dev.runyard.testkit.contract;

import dev.runyard.testkit.threads.TestPatience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/// Does the same thing in several threads at once.
final class Race {
  static final int THREADS = 8;

  private Race() {}

  /// The result of each thread's call; the calls begin together.
  static <T> List<T> run(IntFunction<T> call) throws Exception {
    return run(THREADS, call);
  }

  static <T> List<T> run(int many, IntFunction<T> call) throws Exception {
    CyclicBarrier start = new CyclicBarrier(many);
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(many)) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        int number = i;
        futures.add(
            threads.submit(
                () -> {
                  start.await(TestPatience.LONG_SECONDS, TimeUnit.SECONDS);
                  return call.apply(number);
                }));
      }
      for (Future<T> future : futures) {
        results.add(result(future));
      }
    }
    return results;
  }

  private static <T> T result(Future<T> future) throws Exception {
    try {
      return future.get(TestPatience.LONG_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a thread of the race failed", e.getCause());
    }
  }
}
