package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class CrashPointsTest {
  private static final int POINTS_MIN = 100;

  @ParameterizedTest
  @EnumSource(value = Scenario.class, mode = EnumSource.Mode.EXCLUDE, names = "LASTS")
  void holdsItsInvariantsWhateverCallIsTheLast(Scenario scenario) {
    CrashPoints.Report report = CrashPoints.of(scenario);
    System.out.printf("crash points: %s %d%n", scenario, report.points());
    assertEquals(List.of(), report.violations());
    assertTrue(report.points() > POINTS_MIN, () -> "only " + report.points());
  }

  @ParameterizedTest
  @CsvSource({
    "STARTED, SLOTS_WRITTEN_WITHOUT_CONDITION",
    "NEVER_STARTED, CLAIM_NEVER_FREED",
    "HELD, PLACES_NOT_COUNTED",
    "HELD, PLACE_KEPT_AT_REST",
    "GIVEN_UP, OPEN_RUNS_NOT_COUNTED",
    "GIVEN_UP, COUNTS_NOT_REPAIRED",
    "PUT_ASIDE, RUN_PUT_ASIDE_GOES_ON",
    "PUT_ASIDE, RESUMED_RUN_STAYS_ASIDE",
    "PUT_ASIDE, PLACE_KEPT_AT_REST",
    "DELIVERED, DELIVERY_NOT_RECOGNISED",
    "DELIVERED, OPEN_RUNS_NOT_COUNTED",
  })
  void findsADefectOfWhatItIsAbout(Scenario scenario, Defect defect) {
    Optional<Violation> found = CrashPoints.any(scenario, defect);
    System.out.printf("crash points: %s found with %s%n", defect, found);
    assertTrue(found.isPresent(), () -> defect + " was not found");
  }
}
