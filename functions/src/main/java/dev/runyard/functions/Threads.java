package dev.runyard.functions;

import dev.runyard.core.advance.Lanes;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads a function handles runs and requests on. A run costs a few calls and little else, so
/// most of the time is waiting for answers.
public final class Threads {
  /// Runs, shards or queues a function handles in parallel.
  public static final int LANES_MAX = 18;

  private static final int LATER_SECONDS = 10;
  private static final int LATER_MAX = 100;

  private Threads() {}

  /// Says how many lanes there are where services and agents share the machine's processors, as on
  /// a local stack: there more lanes only take time from whoever waits for an answer.
  public static final String LANES = "runyard.lanes";

  /// Lanes of [#LANES_MAX] threads or as many as `runyard.lanes` says, which live as long as the
  /// function; a single one is the caller's thread.
  public static Lanes lanes() {
    int count = Math.clamp(Integer.getInteger(LANES, LANES_MAX), 1, LANES_MAX);
    if (count == 1) {
      return Lanes.one();
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            count, Thread.ofPlatform().daemon().name("lane-", 1).factory());
    return work -> {
      if (work.size() == 1) {
        work.getFirst().run();
      } else {
        run(threads, work);
      }
    };
  }

  /// A thread for each of what mostly waits for others' servers; a single one is the caller's.
  public static Lanes waiting() {
    ExecutorService threads =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("wait-", 1).factory());
    return work -> {
      if (work.size() == 1) {
        work.getFirst().run();
      } else {
        run(threads, work);
      }
    };
  }

  /// A thread for each request of a server. None is a virtual one: those keep their carriers while
  /// they load classes, and where all carriers are kept none of them goes on.
  public static ExecutorService requests() {
    return Executors.newCachedThreadPool(
        Thread.ofPlatform().daemon().name("request-", 1).factory());
  }

  /// A thread for what no request waits for. There is little of it, and what comes while there is
  /// much is dropped.
  public static Executor later() {
    return new ThreadPoolExecutor(
        0,
        1,
        LATER_SECONDS,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(LATER_MAX),
        Thread.ofPlatform().daemon().name("later-", 1).factory(),
        new ThreadPoolExecutor.DiscardPolicy());
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
