package dev.runyard.local.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/// Makes the threads of the stack, all of them threads of the system that hold up no exit.
///
/// None is a virtual one. While a virtual thread waits for a class to be loaded or initialised it
/// keeps its carrier, and there are only as many carriers as processors. When two carriers of two
/// are kept for a lock whose holder is a virtual thread without one, no virtual thread ever runs
/// again. A stack that has just started loads its classes in all of its parts at once.
public final class StackThreads {
  private StackThreads() {}

  /// A pool that runs every task at once and uses idle threads again.
  ///
  /// @param name of its threads, with a number behind it
  public static ExecutorService pool(String name) {
    return Executors.newCachedThreadPool(factory(name));
  }

  /// One thread that runs tasks when they are due.
  public static ScheduledExecutorService timer(String name) {
    return Executors.newSingleThreadScheduledExecutor(factory(name));
  }

  /// A started thread.
  public static Thread start(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).start(work);
  }

  private static ThreadFactory factory(String name) {
    return Thread.ofPlatform().daemon().name(name + "-", 0).factory();
  }
}
