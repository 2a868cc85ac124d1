package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TailPaceTest {
  private final AtomicInteger followed = new AtomicInteger(1);
  private final TailPace pace = new TailPace(Duration.ofMillis(100), followed);

  @Test
  void slowsDownWhileItIsQuietAndStartsAgainWithEvents() {
    assertEquals(List.of(20L, 40L, 80L, 100L, 100L), next(5));
    pace.flowing();
    assertEquals(List.of(20L, 40L), next(2));
  }

  @Test
  void manyRunsShareTheirReads() {
    followed.set(1000);
    assertEquals(5000, next(12).getLast());
    followed.set(1);
    assertEquals(100, next(1).getLast());
  }

  private List<Long> next(int count) {
    return Stream.generate(() -> pace.next().toMillis()).limit(count).toList();
  }
}
