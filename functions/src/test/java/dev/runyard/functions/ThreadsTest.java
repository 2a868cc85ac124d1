package dev.runyard.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadsTest {
  private final Set<Thread> seen = ConcurrentHashMap.newKeySet();

  @AfterEach
  void forgetTheSetting() {
    System.clearProperty(Threads.LANES);
  }

  @Test
  void aSingleLaneIsTheCallersThread() {
    System.setProperty(Threads.LANES, "1");
    Threads.lanes().run(works(3));
    assertEquals(Set.of(Thread.currentThread()), seen);
  }

  @Test
  void aSinglePieceOfWorkNeedsNoOtherThread() {
    Threads.lanes().run(works(1));
    assertEquals(Set.of(Thread.currentThread()), seen);
  }

  @Test
  void severalPiecesOfWorkLeaveTheCallersThread() {
    Threads.lanes().run(works(3));
    assertFalse(seen.contains(Thread.currentThread()));
  }

  private List<Runnable> works(int count) {
    return Collections.nCopies(count, () -> seen.add(Thread.currentThread()));
  }
}
