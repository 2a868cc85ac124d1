package dev.runyard.local.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/// Makes the threads of the stack, all of them threads of the system that hold up no exit.
///
/// None is a virtual one. There are only as many carriers as processors, and a virtual thread keeps
/// its own while it waits for a class to be loaded or initialised. One that has none cannot take a
/// lock when that is its turn, and until it does nobody else is woken for the lock, not even a
/// thread of the system: the one thread of the embedded DynamoDB shares its lock with whoever calls
/// it, and would stand still with all that wait for its answers. A stack that has just started
/// loads classes in all of its parts at once.
public final class StackThreads {
  private StackThreads() {}

  /// A pool that runs every task at once and uses idle threads again.
  ///
  /// @param name of its threads, with a number behind it
  public static ExecutorService pool(String name) {
    return Executors.newCachedThreadPool(factory(name));
  }

  /// A new thread for every task: what a call leaves in its thread is no other call's, and who
  /// counts the threads has counted the calls.
  ///
  /// @param name of its threads, with a number behind it
  public static ExecutorService each(String name) {
    return Executors.newThreadPerTaskExecutor(factory(name));
  }

  /// One thread that runs tasks when they are due.
  public static ScheduledExecutorService timer(String name) {
    return Executors.newSingleThreadScheduledExecutor(factory(name));
  }

  /// A started thread.
  public static Thread start(String name, Runnable work) {
    Thread thread = unstarted(name, work);
    thread.start();
    return thread;
  }

  /// A thread that its owner starts.
  public static Thread unstarted(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).unstarted(work);
  }

  private static ThreadFactory factory(String name) {
    return Thread.ofPlatform().daemon().name(name + "-", 0).factory();
  }
}
