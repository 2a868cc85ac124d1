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

  @Override
  public List<Figure> measure() {
    ScaleModel model = new ScaleModel(runs, new RunProfile(RUN_MINUTES, VIEWERS), Plan.LARGEST);
    List<Figure> figures = new ArrayList<>();
    String note = "%,.0f a day of %.0f min, busiest at noon".formatted(runs, RUN_MINUTES);
    figures.add(new Figure(NAME, "runs a second at the busiest", model.busiest(), "1/s", note));
    model.uses().stream()
        .sorted(Comparator.comparing(ScaleModel.Use::percent).reversed())
        .map(
            use ->
                new Figure(
                    NAME,
                    use.name(),
                    use.percent(),
                    "%",
                    "%,.1f of %,.0f %s; raised by %s"
                        .formatted(use.used(), use.limit(), use.unit(), use.knob())))
        .forEach(figures::add);
    return figures;
  }
}
