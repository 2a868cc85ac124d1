package dev.runyard.testkit.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// Keeps every carrier of virtual threads until it is closed, as virtual threads do that wait for a
/// class to be loaded. What is tested meanwhile gets its work done only if it needs none.
public final class KeptCarriers implements AutoCloseable {
  private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";

  private final CountDownLatch released = new CountDownLatch(1);
  private final List<Thread> keepers = new ArrayList<>();

  /// Returns when all carriers are kept.
  public KeptCarriers() throws InterruptedException {
    int carriers = Integer.getInteger(PARALLELISM, Runtime.getRuntime().availableProcessors());
    CountDownLatch kept = new CountDownLatch(carriers);
    for (int i = 0; i < carriers; i++) {
      keepers.add(Thread.ofVirtual().start(() -> load(new SlowLoader(kept, released))));
    }
    kept.await();
  }

  private static void load(ClassLoader loader) {
    try {
      Class.forName("Nothing", false, loader);
      throw new IllegalStateException("there is such a class");
    } catch (ClassNotFoundException _) {
      return; // it was waited for, and that was all
    }
  }

  @Override
  public void close() {
    released.countDown();
    for (Thread keeper : keepers) {
      join(keeper);
    }
  }

  private static void join(Thread keeper) {
    try {
      keeper.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Finds no class, and takes as long for it as it is not released.
  private static final class SlowLoader extends ClassLoader {
    private final CountDownLatch asked;
    private final CountDownLatch released;

    SlowLoader(CountDownLatch asked, CountDownLatch released) {
      super(null);
      this.asked = asked;
      this.released = released;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      asked.countDown();
      try {
        released.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      throw new ClassNotFoundException(name);
    }
  }
}
