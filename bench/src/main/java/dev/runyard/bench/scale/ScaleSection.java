package dev.runyard.bench.scale;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A day of many runs, computed from what one run asks for: which limit is reached first. Nothing
/// is started.
public final class ScaleSection implements Section {
  private static final String NAME = "scale";
  private static final double RUN_MINUTES = 10;

  /// Every hundredth run is watched while it is at work.
  private static final double VIEWERS = 0.01;

  private final double runs;

  /// @param runs in the day
  public ScaleSection(double runs) {
    this.runs = runs;
  }

  /// What that day uses, most of a limit first.
  public static List<ScaleModel.Use> uses(double runs) {
    return model(runs).uses().stream()
        .sorted(Comparator.comparing(ScaleModel.Use::percent).reversed())
        .toList();
  }

  private static ScaleModel model(double runs) {
    return new ScaleModel(runs, new RunProfile(RUN_MINUTES, VIEWERS), Plan.LARGEST);
  }

  @Override
  public List<Figure> measure() {
    List<Figure> figures = new ArrayList<>();
    String note = "%,.0f a day of %.0f min, busiest at noon".formatted(runs, RUN_MINUTES);
    double busiest = model(runs).busiest();
    figures.add(new Figure(NAME, "runs a second at the busiest", busiest, "1/s", note));
    uses(runs).stream()
        .map(
            use ->
                new Figure(
                    NAME,
                    use.name(),
                    use.percent(),
                    "%",
                    use.amounts() + "; raised by " + use.knob()))
        .forEach(figures::add);
    return figures;
  }
}
