package dev.runyard.gates.closing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.gates.Planted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestReportsTest {
  @TempDir private Path home;

  @Planted("SkippedTestsIT.nothingIsSkippedButForWantOfWhatIsAbsentHere")
  @Test
  void countsWhatWasSkippedByItsReason() throws Exception {
    write("one", "a.FirstTest", "<testcase name=\"x\" classname=\"a.FirstTest\"/>");
    write(
        "group/two",
        "a.SecondTest",
        """
        <testcase name="y" classname="a.SecondTest"><skipped message="for want of time"/></testcase>
        <testcase name="z" classname="a.SecondTest"><skipped message="for want of time"/></testcase>
        <testcase name="w" classname="a.SecondTest"><skipped message="dull"/></testcase>
        """);
    Files.delete(write("one", "a.GoneTest", "<testcase name=\"x\" classname=\"a.GoneTest\"/>"));

    TestReports reports = TestReports.below(home);

    assertEquals(4, reports.tests());
    assertEquals(
        Map.of(
            "dull", List.of("a.SecondTest.w"),
            "for want of time", List.of("a.SecondTest.y", "a.SecondTest.z")),
        reports.skipped());
    assertEquals("skipped tests: 3 of 4 (1 dull, 2 for want of time)", reports.line());
    assertEquals(reports.skipped(), reports.unexcused());
  }

  @Planted
  @Test
  void saysSoWhereNothingWasSkipped() throws Exception {
    write("one", "a.FirstTest", "<testcase name=\"x\" classname=\"a.FirstTest\"/>");

    assertEquals("skipped tests: 0 of 1", TestReports.below(home).line());
  }

  /// Writes a report and the class it is of, and returns the class.
  private Path write(String module, String type, String cases) throws IOException {
    Path target = home.resolve(module).resolve("target");
    Path reports = Files.createDirectories(target.resolve("surefire-reports"));
    Path classes = Files.createDirectories(target.resolve("test-classes").resolve("a"));
    Path report = reports.resolve("TEST-" + type + ".xml");
    Files.writeString(report, "<testsuite>" + cases + "</testsuite>");
    return Files.write(classes.resolve(type.substring(2) + ".class"), new byte[0]);
  }
}
