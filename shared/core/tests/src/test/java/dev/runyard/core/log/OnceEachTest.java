package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class OnceEachTest {
  private static final int ASKING = 8;

  private final OnceEach<String> once = new OnceEach<>();

  @Test
  void doesItOnceHoweverManyAsk() throws Exception {
    AtomicInteger done = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(ASKING)) {
      List<Future<Integer>> asked = new ArrayList<>();
      for (int i = 0; i < ASKING; i++) {
        asked.add(
            threads.submit(
                () -> {
                  once.run("a", done::incrementAndGet);
                  return done.get();
                }));
      }
      for (Future<Integer> one : asked) {
        assertEquals(1, one.get(), "who asks again waits until it is done");
      }
    }
    once.run("b", done::incrementAndGet);
    assertEquals(2, done.get());
  }

  @Test
  void nobodyWaitsForTheWorkOfAnotherThing() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<?> slow =
          threads.submit(
              () ->
                  once.run(
                      "slow",
                      () -> {
                        begun.countDown();
                        await(held);
                      }));
      begun.await();
      AtomicInteger done = new AtomicInteger();
      once.run("other", done::incrementAndGet);
      assertEquals(1, done.get());
      held.countDown();
      slow.get();
    }
  }

  @Test
  void failsAgainAsItFailedAndIsNotRepeated() {
    AtomicInteger tried = new AtomicInteger();
    IllegalStateException why = new IllegalStateException("broken");
    Runnable broken =
        () -> {
          tried.incrementAndGet();
          throw why;
        };

    assertSame(why, assertThrows(IllegalStateException.class, () -> once.run("a", broken)));
    assertSame(why, assertThrows(IllegalStateException.class, () -> once.run("a", broken)));
    assertEquals(1, tried.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
