package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.StandIn;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.demo.Folders;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// From a line an agent process prints to its event at an SSE client. The line says when it was
/// printed, by the clock the client reads too.
public final class LineSection implements Section {
  private static final int WARM_UP_LINES = 200;
  private static final int LINES = 600;

  private final StackLaunch launch;

  public LineSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    List<Figure> figures = new ArrayList<>();
    try (UpProcess stack = launch.start(Optional.of(StandIn.install(folder)));
        Runs runs = new Runs(stack.uri())) {
      lags(runs, WARM_UP_LINES, 0.02);
      figures.addAll(Figure.ofMillis("line", "20 lines a second", lags(runs, LINES, 0.05), ""));
      figures.addAll(
          Figure.ofMillis("line", "a line every half second", lags(runs, LINES / 10, 0.5), ""));
    } finally {
      Folders.delete(folder);
    }
    return figures;
  }

  /// How late an SSE client sees each line of a run, in milliseconds.
  public static Samples lags(Runs runs, int lines, double pauseSeconds)
      throws InterruptedException {
    List<Double> millis = new ArrayList<>();
    String runId = runs.submit(StandIn.lines(lines, pauseSeconds, 0));
    runs.follow(
        runId,
        event -> {
          Instant seen = Instant.now();
          Runs.requireCompleted(event);
          if (event.type().equals("reasoning.delta")) {
            String text = event.payload().path("text").asText();
            double printedSeconds = Double.parseDouble(text.substring(0, text.indexOf(' ')));
            millis.add(seen.getEpochSecond() * 1e3 + seen.getNano() / 1e6 - printedSeconds * 1e3);
          }
        });
    return Samples.of(millis);
  }
}
