package dev.runyard.bench.scenario;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.demo.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Many clients at once against one stack: how long they wait, and whether what must hold does. A
/// figure is only a figure; anything that does not hold is said and fails the benchmark.
public final class ScenarioSection implements Section {
  static final String NAME = "scenario";

  /// How many of everything.
  ///
  /// @param warmUp runs before anything is measured
  /// @param runs of as many clients
  /// @param clients that watch one run, and drop their connection `drops` times each
  /// @param events of the watched run, `intervalMillis` apart
  /// @param races of a cancel with the end of its run
  record Size(
      int warmUp, int runs, int clients, int drops, int events, int intervalMillis, int races) {}

  private static final Size FULL = new Size(200, 1000, 100, 5, 600, 50, 500);

  private static final int RUNNERS = 2;
  private static final int RUNS_EACH = 20;

  /// Longer than everything takes, so that no runner leaves and another comes for it.
  private static final int RUNNER_STAYS_SECONDS = 3600;

  private static final String TIMEOUT = "\n      Timeout: 15\n";
  private static final String PATIENT = "\n      Timeout: " + Wire.ANSWER_MAX.toSeconds() + "\n";

  private final Findings findings = new Findings();

  private final StackLaunch launch;

  public ScenarioSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    return play(FULL);
  }

  @Override
  public List<String> broken() {
    return findings.all();
  }

  /// Plays on a new stack.
  List<Figure> play(Size size) throws IOException, InterruptedException {
    Path home = Project.folder();
    List<Figure> figures = new ArrayList<>();
    Files.writeString(home.resolve("template.yaml"), template());
    try (UpProcess stack = launch.start(home);
        Wire wire = new Wire(stack.uri(), refused())) {
      new Crowd(wire, findings).play(size.warmUp());
      figures.addAll(new Crowd(wire, findings).play(size.runs()));
      figures.addAll(
          new Watchers(wire, findings)
              .play(size.clients(), size.drops(), size.events(), size.intervalMillis()));
      figures.addAll(new Races(wire, findings).play(size.races()));
      findings.require(
          findings.runners().size() <= RUNNERS,
          "%d runners worked where %d may: %s",
          findings.runners().size(),
          RUNNERS,
          findings.runners());
    } finally {
      Folders.delete(home);
    }
    figures.add(new Figure(NAME, "invariants broken", findings.all().size(), "", ""));
    return figures;
  }

  /// On a busy machine an emulator takes longer than it may, and its stack says so; the store of
  /// one machine always answers.
  private Consumer<String> refused() {
    return launch.emulated() ? _ -> {} : findings::refused;
  }

  /// The project's template whose functions may take as long as its clients wait, for what is as
  /// slow as the machine is no fault of the stack; and with as many runs side by side as it has, on
  /// fewer runners: each is a process of a few hundred megabytes, and ten of them at once are too
  /// much for two cores.
  private static String template() throws IOException {
    String template = Files.readString(Project.template());
    if (!template.contains(TIMEOUT)) {
      throw new IOException("no function of the template has this timeout:" + TIMEOUT);
    }
    template = template.replace(TIMEOUT, PATIENT);
    for (String parameter :
        List.of(
            "RunnersMax: " + RUNNERS,
            "RunsPerRunner: " + RUNS_EACH,
            "IdleSeconds: " + RUNNER_STAYS_SECONDS)) {
      String[] pair = parameter.split(": ", -1);
      String before = template;
      template =
          template.replaceFirst(
              "(?m)^(  " + pair[0] + ": \\{ Type: Number, Default: )[0-9]+", "$1" + pair[1]);
      if (template.equals(before)) {
        throw new IOException("the template has no parameter " + pair[0]);
      }
    }
    return template;
  }
}
