package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.ScaleRunners;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [RunnerFleet] promises.
public abstract class RunnerFleetContract {
  private RunnerFleet fleet;

  /// A fleet without runners.
  protected abstract RunnerFleet fleet();

  /// `count` of the fleet's runners end by themselves.
  protected abstract void leave(int count);

  @BeforeEach
  void open() {
    fleet = fleet();
  }

  @Test
  void hasNoRunnersAtFirst() {
    assertEquals(0, fleet.active());
  }

  @Test
  void countsTheRunnersItStarted() {
    fleet.start(2, "one");
    fleet.start(1, "two");

    assertEquals(3, fleet.active());
  }

  @Test
  void startsNothingTwiceForTheSameToken() {
    fleet.start(2, "same");
    fleet.start(2, "same");

    assertEquals(2, fleet.active());
  }

  @Test
  void startsNothingMoreWhenTheSameTokenComesWithAnotherCount() {
    fleet.start(2, "same");
    fleet.start(3, "same");

    assertEquals(2, fleet.active());
  }

  @Test
  void startsNothingAgainForATokenWhoseRunnersHaveLeft() {
    fleet.start(1, "same");
    leave(1);
    fleet.start(1, "same");

    assertEquals(0, fleet.active());
  }

  @Test
  void tellsLongTokensApart() {
    String common = "drive-größe-".repeat(20);
    fleet.start(1, common + "a");
    fleet.start(1, common + "b");
    fleet.start(1, common + "a");

    assertEquals(2, fleet.active());
  }

  @Test
  void startsAsManyAsOneScalingAsksFor() {
    fleet.start(ScaleRunners.START_MAX, "most");

    assertEquals(ScaleRunners.START_MAX, fleet.active());
  }

  @Test
  void forgetsRunnersThatLeft() {
    fleet.start(3, "token");
    leave(2);

    assertEquals(1, fleet.active());
  }

  @Test
  void refusesToStartNothing() {
    assertThrows(IllegalArgumentException.class, () -> fleet.start(0, "token"));
  }
}
