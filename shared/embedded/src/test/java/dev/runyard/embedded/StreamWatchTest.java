package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
final class StreamWatchTest {
  private static final RunKey RUN = SampleRun.key(1);
  private static final Duration LONG = Duration.ofHours(1);

  private final StoreRig rig;

  StreamWatchTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void doesNotWaitForWhatIsThere() throws Exception {
    append();
    rig.store().watch().await(RUN, 0, LONG);
    assertEquals(0, rig.store().database().streams().count());
  }

  @Test
  void anAppendEndsTheWaitsForItsStream() throws Exception {
    CountDownLatch waiting = new CountDownLatch(2);
    rig.waitBy(
        (bell, seen, longest) -> {
          waiting.countDown();
          Waits.REAL.await(bell, seen, longest);
        });
    CompletableFuture<Void> one = await();
    CompletableFuture<Void> two = await();
    waiting.await();
    append();
    CompletableFuture.allOf(one, two).join();
    assertEquals(0, rig.store().database().streams().count());
  }

  @Test
  void waitsNoLongerThanItShould() throws Exception {
    var before = rig.clock().instant();
    rig.store().watch().await(RUN, 0, LONG);
    assertEquals(before.plus(LONG), rig.clock().instant());
  }

  @Test
  void aClosingStoreEndsAllWaits() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    rig.waitBy(
        (bell, seen, longest) -> {
          waiting.countDown();
          Waits.REAL.await(bell, seen, longest);
        });
    CompletableFuture<Void> one = await();
    waiting.await();
    rig.closeStore();
    one.join();
    assertTrue(one.isDone());
  }

  private void append() {
    rig.store().events().append(SampleRun.output(RUN, 1, "a"));
  }

  private CompletableFuture<Void> await() {
    var watch = rig.store().watch();
    return CompletableFuture.runAsync(
        () -> {
          try {
            watch.await(RUN, 0, LONG);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        command -> Thread.ofPlatform().daemon().start(command));
  }
}
