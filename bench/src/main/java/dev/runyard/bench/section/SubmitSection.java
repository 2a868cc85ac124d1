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
/// submitted, and one after the other without waiting, while runners work on the earlier ones; and
/// what it takes more where callers show keys.
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
    figures.addAll(keys(echo));
    return figures;
  }

  /// A stack that takes keys and one that does not, in turn, so that other work on the machine
  /// slows both.
  private List<Figure> keys(NewRun echo) throws Exception {
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    try (UpProcess plain = launch.start();
        UpProcess keyed = launch.with("--access", "keys").start();
        Runs unknown = new Runs(plain.uri());
        Runs known = Runs.withKey(keyed.uri())) {
      for (int i = 0; i < WARM_UP + RUNS; i++) {
        double one = unknown.run(echo).acceptedMillis();
        double other = known.run(echo).acceptedMillis();
        if (i >= WARM_UP) {
          without.add(one);
          with.add(other);
        }
      }
    }
    Samples plain = Samples.of(without);
    Samples keyed = Samples.of(with);
    List<Figure> figures = new ArrayList<>();
    figures.addAll(Figure.ofMillis("submit", "accepted, without keys in turn", plain, ""));
    figures.addAll(Figure.ofMillis("submit", "accepted, with keys in turn", keyed, ""));
    figures.add(
        new Figure(
            "submit",
            "p50 with keys to p50 without",
            keyed.percentile(50) / plain.percentile(50),
            "",
            "goal: at most 1.10"));
    return figures;
  }
}
