package dev.runyard.core.log;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Does work once for each of several things, however many threads ask for it. Whoever asks again
/// waits for the first and gets its result, and nobody waits for the work of another thing.
/// Thread-safe.
public final class OnceEach<K> {
  private final ConcurrentMap<K, CompletableFuture<Boolean>> done = new ConcurrentHashMap<>();

  /// Does it, unless it was begun before, and fails if it failed.
  public void run(K thing, Runnable work) {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> before = done.putIfAbsent(thing, mine);
    if (before == null) {
      complete(mine, work);
    }
    try {
      (before == null ? mine : before).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException why ? why : e;
    }
  }

  private static void complete(CompletableFuture<Boolean> mine, Runnable work) {
    try {
      work.run();
      mine.complete(true);
    } catch (RuntimeException e) {
      mine.completeExceptionally(e);
    } catch (Error e) {
      mine.completeExceptionally(e);
      throw e;
    }
  }
}
