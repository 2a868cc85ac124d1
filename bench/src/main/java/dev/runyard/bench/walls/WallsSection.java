package dev.runyard.bench.walls;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.section.LineSection;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.StandIn;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.demo.Folders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How long a run's lines take to an SSE client while another run of the same stack attacks, beside
/// how long they take alone, before and after all attacks.
public final class WallsSection implements Section {
  private static final String NAME = "walls";
  private static final int WARM_UP_LINES = 200;
  private static final int LINES = 600;
  private static final double PAUSE_SECONDS = 0.04;

  /// Little memory, so that the machine has enough for others.
  private static final String LIMITS = "AttemptLimits={\"memory_mib\":2048}";

  private final StackLaunch launch;

  public WallsSection(StackLaunch launch) {
    this.launch = launch.with("--isolation", "uid", "--set", LIMITS);
  }

  private record Beside(Attack attack, Samples lags, String ends) {}

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    List<Beside> beside = new ArrayList<>();
    List<Double> alone = new ArrayList<>();
    try (UpProcess stack = launch.start(Optional.of(StandIn.install(folder)));
        Runs runs = new Runs(stack.uri());
        Runs others = new Runs(stack.uri())) {
      LineSection.lags(runs, WARM_UP_LINES, 0.02);
      alone.addAll(LineSection.lags(runs, LINES, PAUSE_SECONDS).sorted());
      for (Attack attack : Attack.values()) {
        Attackers attackers = Attackers.begin(attack, others, stack.uri().getPort());
        Samples lags = LineSection.lags(runs, LINES, PAUSE_SECONDS);
        attackers.end();
        beside.add(new Beside(attack, lags, attackers.text()));
      }
      alone.addAll(LineSection.lags(runs, LINES, PAUSE_SECONDS).sorted());
    } finally {
      Folders.delete(folder);
    }
    return figures(Samples.of(alone), beside);
  }

  private static List<Figure> figures(Samples alone, List<Beside> all) {
    List<Figure> figures = new ArrayList<>(Figure.ofMillis(NAME, "alone", alone, ""));
    for (Beside one : all) {
      String what = "beside " + one.attack().title();
      figures.addAll(Figure.ofMillis(NAME, what, one.lags(), one.ends()));
      figures.add(
          new Figure(
              NAME,
              what + ", p99 by alone",
              one.lags().percentile(99) / alone.percentile(99),
              "",
              "goal 2"));
    }
    return figures;
  }
}
