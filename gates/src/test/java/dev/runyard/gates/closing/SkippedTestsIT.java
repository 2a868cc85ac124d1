package dev.runyard.gates.closing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Outside;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Runs last in a build of everything, and says in one line which tests were skipped.
final class SkippedTestsIT {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home"), "runyard.home"));

  @Test
  void nothingIsSkippedButForWantOfWhatIsAbsentHere() throws Exception {
    TestReports reports = TestReports.below(HOME);

    System.out.println(reports.line());
    assertTrue(reports.tests() > 0, "no reports below " + HOME);
    Map<String, ?> unexcused = new TreeMap<>(reports.skipped());
    unexcused.keySet().removeIf(Outside::excuses);
    assertEquals(Map.of(), unexcused);
  }
}
