package dev.runyard.bench.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Figures;
import dev.runyard.bench.stack.StackLaunch;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The scenario in small, with real processes.
final class ScenarioIT {
  private static final ScenarioSection.Size SMALL =
      new ScenarioSection.Size(0, 60, 10, 5, 100, 15, 40);

  @Test
  void nothingBreaksWhoeverComesLeavesAndRaces() throws Exception {
    // Users of attempts are tested in other modules, beside which this runs.
    StackLaunch launch = new StackLaunch(false, List.of("--isolation", "none"));
    ScenarioSection scenario = new ScenarioSection(launch);

    List<Figure> figures = scenario.play(SMALL);

    figures.stream().map(Figures::line).forEach(System.out::println);
    assertEquals(List.of(), scenario.broken());
    assertEquals(SMALL.runs(), value(figures, "runs completed"));
    assertEquals(SMALL.clients(), value(figures, "SSE clients that saw all events once"));
  }

  private static int value(List<Figure> figures, String name) {
    return figures.stream()
        .filter(figure -> figure.name().equals(name))
        .mapToInt(figure -> (int) figure.value())
        .findFirst()
        .orElseThrow();
  }
}
