package dev.runyard.gates.closing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.Repository;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Runs last in a build of everything, and says in one line which tests were skipped.
final class SkippedTestsIT {
  @Test
  void nothingIsSkippedButForWantOfWhatIsAbsentHere() throws Exception {
    TestReports reports = TestReports.below(Repository.HOME);

    System.out.println(reports.line());
    assertTrue(reports.tests() > 0, "no reports below " + Repository.HOME);
    assertEquals(Map.of(), reports.unexcused());
  }
}
