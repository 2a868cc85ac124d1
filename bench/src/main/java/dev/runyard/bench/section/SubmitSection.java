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
  private static final String UNLIMITED =
      "QuotasDocument={\"default\":{\"running_runs_max\":null}}";
  private static final List<String> CALLERS =
      List.of("without keys", "with keys", "with keys and shared places");

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

  /// Stacks that take keys and one that does not, in turn, so that other work on the machine slows
  /// all of them. Where callers show keys, tenants share the places of runners unless the operator
  /// says otherwise, which costs a write.
  private List<Figure> keys(NewRun echo) throws Exception {
    try (UpProcess plain = launch.start();
        UpProcess keyed = launch.with("--access", "keys", "--set", UNLIMITED).start();
        UpProcess limited = launch.with("--access", "keys").start();
        Runs unknown = new Runs(plain.uri());
        Runs known = Runs.withKey(keyed.uri());
        Runs counted = Runs.withKey(limited.uri())) {
      List<Samples> samples = inTurn(echo, List.of(unknown, known, counted));
      List<Figure> figures = new ArrayList<>();
      for (int i = 0; i < CALLERS.size(); i++) {
        figures.addAll(
            Figure.ofMillis("submit", "accepted " + CALLERS.get(i), samples.get(i), "in turn"));
      }
      for (int i = 1; i < CALLERS.size(); i++) {
        figures.add(
            new Figure(
                "submit",
                "ratio " + CALLERS.get(i),
                samples.get(i).percentile(50) / samples.getFirst().percentile(50),
                "",
                "of p50 to that without keys; goal: at most 1.10"));
      }
      return figures;
    }
  }

  private static List<Samples> inTurn(NewRun echo, List<Runs> stacks) throws InterruptedException {
    List<List<Double>> accepted = new ArrayList<>();
    stacks.forEach(_ -> accepted.add(new ArrayList<>()));
    for (int i = 0; i < WARM_UP + RUNS; i++) {
      for (int turn = 0; turn < stacks.size(); turn++) {
        int stack = (i + turn) % stacks.size();
        double millis = stacks.get(stack).run(echo).acceptedMillis();
        if (i >= WARM_UP) {
          accepted.get(stack).add(millis);
        }
      }
    }
    return accepted.stream().map(Samples::of).toList();
  }
}
