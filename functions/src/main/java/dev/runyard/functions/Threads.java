package dev.runyard.functions;

import dev.runyard.core.advance.Lanes;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The threads a function handles runs and requests on. A run costs it some calls and little else,
/// so most of its time is waiting for answers.
public final class Threads {
  /// Runs, shards or queues a function handles side by side.
  public static final int LANES_MAX = 18;

  private Threads() {}

  /// Lanes of [#LANES_MAX] threads, which live as long as the function does.
  public static Lanes lanes() {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            LANES_MAX, Thread.ofPlatform().daemon().name("lane-", 1).factory());
    return work -> run(threads, work);
  }

  /// A thread for each request of a server. None is a virtual one: those keep their carriers while
  /// they load classes, and where all carriers are kept none of them goes on.
  public static ExecutorService requests() {
    return Executors.newCachedThreadPool(
        Thread.ofPlatform().daemon().name("request-", 1).factory());
  }

  private static void run(ExecutorService threads, List<Runnable> work) {
    try {
      for (Future<?> done : threads.invokeAll(work.stream().map(Executors::callable).toList())) {
        done.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while runs were handled", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a lane failed", e.getCause());
    }
  }
}
