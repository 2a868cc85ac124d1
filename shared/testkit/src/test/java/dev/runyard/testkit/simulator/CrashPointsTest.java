package dev.runyard.testkit.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CrashPointsTest {
  private static final int POINTS_MIN = 100;

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void holdsItsInvariantsWhateverCallIsTheLast(Scenario scenario) {
    CrashPoints.Report report = CrashPoints.of(scenario);
    System.out.printf("crash points: %s %d%n", scenario, report.points());
    assertEquals(List.of(), report.violations());
    assertTrue(report.points() > POINTS_MIN, () -> "only " + report.points());
  }
}
