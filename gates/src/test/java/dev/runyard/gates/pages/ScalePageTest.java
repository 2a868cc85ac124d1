package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.bench.figure.Figures;
import dev.runyard.bench.scale.ScaleModel;
import dev.runyard.bench.scale.ScaleSection;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.util.List;

/// The page on scale has the figures that the benchmark computes.
@Reads(ScalePageTest.PAGE)
final class ScalePageTest {
  static final String PAGE = "docs/scale.md";

  private static final double MILLION = 1e6;

  @Gate
  @Breach(replace = "| project | 0.543 %", by = "| project | 0.544 %", named = "project")
  @Breach(replace = "9.3 of 1,731 runs/s", by = "9.3 of 1,730 runs/s", named = "advance")
  @Breach(replace = "| looks of sweep at tasks |", by = "| looks at tasks |", named = "of sweep")
  void hasWhatADayOfAMillionRunsUsesOfEachLimit(Repository repository) {
    assertEquals(
        String.join("\n", ScaleSection.uses(MILLION).stream().map(ScalePageTest::row).toList()),
        String.join(
            "\n",
            Page.of(repository, PAGE).table("A million runs a day").stream()
                .map(ScalePageTest::row)
                .toList()));
  }

  private static String row(ScaleModel.Use use) {
    String percent = Figures.number(use.percent()) + " %";
    return row(List.of(use.name(), percent, use.amounts(), use.knob()));
  }

  private static String row(List<String> cells) {
    return String.join(" | ", cells).replace("`", "");
  }
}
