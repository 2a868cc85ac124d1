package dev.runyard.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Has writes share a transaction.
final class GroupedWrites {
  private GroupedWrites() {}

  /// Makes calls that all wait, in their order, while the writer is busy with another write; then
  /// does `meanwhile`, beside the writer, which goes on.
  static <T> List<Future<T>> of(EmbeddedStore store, List<Callable<T>> calls, Runnable meanwhile)
      throws Exception {
    StoreWriter writer = store.database().writer();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    List<Future<T>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Integer> first =
          threads.submit(
              () ->
                  writer.write(
                      "wait",
                      _ -> {
                        begun.countDown();
                        awaitUninterruptibly(goOn);
                        return 0;
                      }));
      begun.await();
      for (Callable<T> call : calls) {
        int waiting = writer.waiting();
        results.add(threads.submit(call));
        while (writer.waiting() == waiting) {
          Thread.onSpinWait();
        }
      }
      Future<?> beside = threads.submit(meanwhile);
      goOn.countDown();
      first.get();
      beside.get();
    }
    return results;
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
