package dev.runyard.core.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Which calls are repeated, after which pauses, and until when.
final class AwaitedStoreTest {
  private static final String KEY = "acme/a";

  private final FailingStore failing = new FailingStore();
  private final List<Duration> pauses = new ArrayList<>();

  @Test
  void repeatsACallUntilItIsAnswered() {
    AwaitedStore store = answeringAfter(3);

    store.put(KEY, new byte[] {1});

    assertEquals(3, pauses.size());
    assertTrue(store.get(KEY).isPresent());
    assertEquals(3, pauses.size());
  }

  @Test
  void pausesLongerEachTimeUpToABound() {
    answeringAfter(10).delete(KEY);

    assertEquals(Duration.ofMillis(250), pauses.getFirst());
    assertEquals(Duration.ofMillis(500), pauses.get(1));
    assertEquals(AwaitedStore.PAUSE_MAX, pauses.get(8));
    assertEquals(AwaitedStore.PAUSE_MAX, pauses.getLast());
  }

  @Test
  void passesOnThatThereIsNothing() {
    AwaitedStore store = answeringAfter(0);

    assertEquals(Optional.empty(), store.get(KEY));
    assertEquals(Optional.empty(), store.find(KEY));
    assertTrue(store.replace(KEY, Optional.empty(), new byte[] {1}));
    assertFalse(store.replace(KEY, Optional.empty(), new byte[] {2}));
    assertEquals(List.of(), pauses);
  }

  @Test
  void failsOnceNobodyNeedsItAnyMore() {
    failing.fail(_ -> true);
    AwaitedStore store =
        new AwaitedStore(
            failing,
            (pause, _) -> {
              pauses.add(pause);
              return pauses.size() < 4;
            });

    assertThrows(PortUnavailable.class, () -> store.find(KEY));

    assertEquals(4, pauses.size());
  }

  private AwaitedStore answeringAfter(int failures) {
    failing.fail(_ -> pauses.size() < failures);
    return new AwaitedStore(
        failing,
        (pause, _) -> {
          pauses.add(pause);
          return true;
        });
  }
}
