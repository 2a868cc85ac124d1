package dev.runyard.core.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class UsageTest {
  private static final Usage SUM = new Usage(100, 40, 20, 50, 10, 0.5, 3);

  @Test
  void isCountedBeyondWhatWasReportedBefore() {
    assertEquals(
        new Usage(90, 35, 17, 43, 8, null, 0), SUM.beyond(new Usage(10, 5, 3, 7, 2, 0.25, 1)));
    assertEquals(
        new Usage(0, 0, 0, 0, 0, null, 0), SUM.beyond(new Usage(101, 41, 21, 51, 11, null, 4)));
  }

  @Test
  void costsWhatAnyPartOfItCosts() {
    Usage free = new Usage(1, 0, 0, 0, null);
    assertNull(free.plus(free).costUsd());
    assertEquals(0.5, free.plus(SUM).costUsd());
    assertEquals(0.5, SUM.plus(free).costUsd());
    assertEquals(1.0, SUM.plus(SUM).costUsd());
  }

  @Test
  void hasItsTokensAtAnotherCostOrAsOneTurn() {
    assertEquals(150, SUM.tokens());
    assertEquals(new Usage(100, 40, 20, 50, 10, 0.75, 3), SUM.at(0.75));
    assertEquals(new Usage(100, 40, 20, 50, 10, 0.5, 1), SUM.asTurn());
  }
}
