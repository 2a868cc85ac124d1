package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.StandIn;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.demo.Folders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// From submit to the terminal event at an SSE client: for the first run, which waits for a runner
/// to start, for the built-in echo, and for an agent that is a new process each time; and what a
/// run costs the stack.
public final class EndSection implements Section {
  private static final int WARM_UP = 300;
  private static final int RUNS = 300;

  private final StackLaunch launch;

  public EndSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    NewRun echo = Runs.echo(1, 0);
    NewRun process = StandIn.lines(1, 0, 0);
    List<Figure> figures = new ArrayList<>();
    try (UpProcess stack = launch.start(Optional.of(StandIn.install(folder)));
        Runs runs = new Runs(stack.uri())) {
      double first = runs.run(echo).terminalMillis();
      figures.add(new Figure("end", "first run, a runner starts", first, "ms", "1 sample"));
      runs.run(echo, WARM_UP);
      figures.addAll(measure("echo", stack, runs, echo, ""));
      runs.run(process, WARM_UP / 2);
      figures.addAll(measure("a process per run", stack, runs, process, "a shell script"));
    } finally {
      Folders.delete(folder);
    }
    return figures;
  }

  private static List<Figure> measure(
      String what, UpProcess stack, Runs runs, NewRun run, String note)
      throws InterruptedException {
    double before = stack.processorSeconds();
    List<Double> millis = runs.run(run, RUNS).stream().map(Runs.Timing::terminalMillis).toList();
    double each = (stack.processorSeconds() - before) * 1e3 / RUNS;
    List<Figure> figures = new ArrayList<>(Figure.ofMillis("end", what, Samples.of(millis), note));
    figures.add(new Figure("end", what + ", processor time of the stack", each, "ms", "a run"));
    return figures;
  }
}
