package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.client.NewRun;
import java.util.ArrayList;
import java.util.List;

/// How long a submit takes to be accepted: one at a time, each run having ended before the next is
/// submitted, and one after the other without waiting, while runners work on the earlier ones.
public final class SubmitSection implements Section {
  private static final int WARM_UP = 600;
  private static final int RUNS = 300;

  private final StackLaunch launch;

  public SubmitSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    NewRun echo = Runs.echo(1, 0);
    List<Double> alone;
    List<Double> queued = new ArrayList<>();
    try (UpProcess stack = launch.start();
        Runs runs = new Runs(stack.uri())) {
      runs.run(echo, WARM_UP);
      alone = runs.run(echo, RUNS).stream().map(Runs.Timing::acceptedMillis).toList();
      for (int i = 0; i < RUNS; i++) {
        long begin = System.nanoTime();
        runs.submit(echo);
        queued.add((System.nanoTime() - begin) / 1e6);
      }
    }
    List<Figure> figures = new ArrayList<>();
    figures.addAll(Figure.ofMillis("submit", "accepted, one run at a time", Samples.of(alone), ""));
    figures.addAll(
        Figure.ofMillis("submit", "accepted, without waiting for runs", Samples.of(queued), ""));
    return figures;
  }
}
