package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// When items of jobs are handed out beside other runs.
final class ItemPaceTest {
  private static final Instant NOW = StoreRig.START;
  private static final int FEW = ItemPace.STARTING_PER_PROCESSOR;

  private final ItemPace pace = new ItemPace(1, 36);

  @Test
  void fewItemsStartAtOnce() {
    assertEquals(FEW, pace.room(NOW, 0));
    pace.handed("a", NOW);
    pace.handed("b", NOW);
    assertEquals(0, pace.room(NOW, 2));

    pace.over("a");
    assertEquals(1, pace.room(NOW, 1));
  }

  @Test
  void anItemThatIsHeldLongHasStarted() {
    pace.handed("a", NOW);
    pace.handed("b", NOW);

    assertEquals(FEW, pace.room(NOW.plus(ItemPace.STARTING_MAX), 2));
  }

  @Test
  void itemsOfAllJobsLeavePlacesToOthers() {
    assertEquals(1, pace.room(NOW, 35));
    assertEquals(0, pace.room(NOW, 36));
    assertEquals(ItemPace.FULL_PAUSE, pace.pause(36));
    assertEquals(ItemPace.PAUSE, pace.pause(35));
  }

  @Test
  void itemsGoOneByOneWhileAnotherRunStartsOrEnds() {
    pace.otherRun(NOW);
    assertEquals(1, pace.room(NOW, 0));
    pace.handed("a", NOW);
    assertEquals(0, pace.room(NOW, 1));
    pace.over("a");

    assertEquals(0, pace.room(NOW, 0));
    assertEquals(1, pace.room(NOW.plus(ItemPace.PAUSE), 0));
    assertEquals(FEW, pace.room(NOW.plus(ItemPace.OTHERS_FIRST), 0));
  }

  /// However many other runs there are, and however long each item takes to start.
  @Test
  void itemsAlwaysGoOn() {
    Instant now = NOW;
    Instant end = NOW.plusSeconds(10);
    int handed = 0;
    while (now.isBefore(end)) {
      pace.otherRun(now);
      if (pace.room(now, 0) > 0) {
        pace.handed("item " + handed, now);
        handed++;
      }
      now = now.plusMillis(1);
    }
    assertEquals(Duration.ofSeconds(10).dividedBy(ItemPace.STARTING_MAX), handed);
  }

  @Test
  void whoLookedAtTheClockEarlierHasNoMoreRoom() {
    pace.handed("a", NOW);
    pace.handed("b", NOW);
    assertEquals(0, pace.room(NOW.minusMillis(1), 2));

    pace.over("a");
    pace.over("b");
    pace.otherRun(NOW);
    assertEquals(0, pace.room(NOW.minusMillis(1), 0));
  }

  @Test
  void aClockThatIsSetBackHoldsNothingUp() {
    pace.otherRun(NOW);
    pace.handed("a", NOW);

    assertTrue(pace.room(NOW.minusSeconds(3600), 1) > 0);
  }
}
