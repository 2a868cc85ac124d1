package dev.runyard.bench.cost;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.AccessTokens;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StandIn;
import dev.runyard.bench.stack.WebhookCollector;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.demo.Folders;
import dev.runyard.embedded.FileEventBus;
import dev.runyard.functions.Threads;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.LocalStack;
import dev.runyard.local.emulator.TaskLaunch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What a run asks of AWS, counted at the SDK on the local stack with the template's own pace, and
/// what that costs. The runs take as long as they say: nothing is sped up. Nobody watches them;
/// their client submits and, at the end, gets each once.
public final class CostSection implements Section {
  /// Runs side by side on one runner, as many as the template lets it have.
  private static final int RUNS = 4;

  private static final Map<String, String> TEMPLATE_PACE =
      Map.of(
          "FlushMillis", "200",
          "GatherMillis", "10000",
          "TailMillis", "1000",
          "RunnersMin", "0",
          "WebhooksToLoopback", "true");
  private static final String SWEEP = "sweep";

  /// Makes webhooks and the like, once for all runs.
  private static final String SET_UP = "manage";

  /// An alarm costs by the metrics it watches.
  private static final Pattern ALARM =
      Pattern.compile("^      MetricName: |MetricStat: ", Pattern.MULTILINE);

  private static final double RUNNER_VCPU = 1;
  private static final double RUNNER_GB = 4;
  private static final int EVENTS_AROUND = 13;
  private static final Duration SLACK = Duration.ofSeconds(45);

  private final Shape shape;
  private final int minutes;
  private final Told told;

  /// Who is told of the end of each run.
  ///
  /// @param webhook whether a server is
  /// @param bus whether a bus of EventBridge is
  public record Told(boolean webhook, boolean bus) {
    static final Told NOBODY = new Told(false, false);

    String text() {
      return (webhook ? ", a webhook each" : "") + (bus ? ", a bus" : "");
    }
  }

  /// How the events of a run are spread over its time.
  public enum Shape {
    /// Five events every six seconds, as an agent has that thinks, says, runs and reads.
    STEPS,
    /// Forty events a second until all are told, then silence.
    STREAM,
    /// The same pause between any two, so that none shares a write.
    EVEN
  }

  public CostSection(Shape shape, int minutes, Told told) {
    this.shape = shape;
    this.minutes = minutes;
    this.told = told;
  }

  /// What was counted.
  ///
  /// @param events of a run
  /// @param bus events of a run that the bus was told
  /// @param perRun requests, by caller
  private record Counted(double events, double bus, Map<String, Counts> perRun) {
    List<RunCost.Line> lines() {
      List<RunCost.Line> lines = new ArrayList<>(RunCost.lines(perRun));
      if (bus > 0) {
        lines.add(RunCost.bus(bus));
      }
      return lines;
    }

    double dollars() {
      return lines().stream().mapToDouble(RunCost.Line::dollars).sum();
    }
  }

  /// Where somebody is told, the same is counted once more without, so that the difference can be
  /// seen.
  @Override
  public List<Figure> measure() throws Exception {
    Counted counted = counted(told);
    List<Figure> figures = new ArrayList<>(figures(counted));
    if (!told.equals(Told.NOBODY)) {
      double without = counted(Told.NOBODY).dollars();
      figures.add(dollars("1 M runs, control plane where nobody is told", without, ""));
      figures.add(dollars("1 M runs, what telling adds", counted.dollars() - without, note()));
    }
    return figures;
  }

  private Counted counted(Told whom) throws Exception {
    Path folder = Project.folder();
    Ledger.begin();
    try {
      Path ledger = Files.createDirectory(folder.resolve("ledger"));
      Path work = Files.createDirectory(folder.resolve("work"));
      double events = count(folder, ledger, work, whom);
      Map<String, Counts> perRun = new TreeMap<>();
      Ledger.counts(ledger)
          .forEach(
              (caller, counts) ->
                  perRun.put(
                      caller,
                      (caller.equals(SWEEP) ? SweepCost.ofRuns(counts) : counts).dividedBy(RUNS)));
      perRun.remove(SET_UP);
      Path bus = work.resolve(FileEventBus.FILE);
      double lines = Files.exists(bus) ? Files.readAllLines(bus).size() : 0;
      return new Counted(events, lines / RUNS, perRun);
    } finally {
      Folders.delete(folder);
    }
  }

  private double count(Path folder, Path ledger, Path work, Told whom)
      throws IOException, InterruptedException {
    Map<String, String> parameters = new TreeMap<>(TEMPLATE_PACE);
    if (whom.bus()) {
      parameters.put("EventBusName", "runs");
    }
    LocalOptions options =
        new LocalOptions(
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of(StandIn.install(folder)),
            parameters,
            Project.template(),
            work,
            Optional.of(AccessTokens.folder()),
            Optional.empty());
    System.setProperty(Threads.LANES, "1"); // a call is counted for the function it comes from
    TaskLaunch runner = TaskLaunch.runner();
    List<String> flags = new ArrayList<>(runner.flags());
    flags.add("-D" + Ledger.FOLDER_PROPERTY + "=" + ledger);
    TaskLaunch counted =
        new TaskLaunch(runner.java(), runner.classPath(), runner.mainClass(), flags);
    double events = 0;
    try (WebhookCollector collector = new WebhookCollector();
        LocalStack stack = LocalStack.start(options, counted);
        Runs runs = new Runs(stack.uri())) {
      if (whom.webhook()) {
        runs.webhook(collector.url());
      }
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        ids.add(runs.submit(run()));
      }
      Thread.sleep(Duration.ofMinutes(minutes).plus(SLACK));
      for (String id : ids) {
        events += completed(runs, id) / RUNS;
      }
    }
    return events;
  }

  private NewRun run() {
    int events = 50 * minutes - EVENTS_AROUND;
    int seconds = 60 * minutes;
    return switch (shape) {
      case STEPS -> StandIn.steps(10 * minutes - 2, 5.9, 0);
      case STREAM -> StandIn.lines(events, 0.025, seconds - events / 40);
      case EVEN -> StandIn.lines(events, 1.2, 0);
    };
  }

  private static double completed(Runs runs, String id) {
    JsonNode run = runs.get(id);
    if (!run.path("status").asText().equals("completed")) {
      throw new IllegalStateException("not completed in time: " + run);
    }
    return run.path("last_sequence").asDouble();
  }

  private String note() {
    return "%s, %d min, %d side by side%s".formatted(shape, minutes, RUNS, told.text());
  }

  private List<Figure> figures(Counted counted) throws IOException {
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure("cost", "events of a run", counted.events(), "", note()));
    counted.perRun().forEach((caller, counts) -> figures.addAll(counted(caller, counts)));
    for (RunCost.Line line : counted.lines()) {
      figures.add(dollars("1 M runs, " + line.name(), line.dollars(), line.note()));
    }
    figures.add(dollars("1 M runs, control plane", counted.dollars(), note()));
    double runners = RunCost.runners(60.0 * minutes, RUNNER_VCPU, RUNNER_GB, RUNS);
    figures.add(dollars("1 M runs, Fargate", runners, "not in the total; from the length alone"));
    String template = Files.readString(Project.template());
    int alarms = ALARM.split(template, -1).length - 1;
    String idle = alarms + " metrics watched by alarms, and sweep each minute as counted";
    figures.add(dollars("idle stack, a month", SweepCost.idleMonth(alarms), idle));
    return figures;
  }

  private static Figure dollars(String name, double value, String note) {
    return new Figure("cost", name, value, "$", note);
  }

  private static List<Figure> counted(String caller, Counts counts) {
    String requests =
        counts.requests().toString().replace("{", "").replace("}", "").replace("=", " ");
    return List.of(
        new Figure("cost", caller + ", calls of the function", counts.invocations(), "", ""),
        new Figure("cost", caller + ", requests", counts.requestsInAll(), "", requests),
        new Figure("cost", caller + ", write units", counts.writeUnits(), "WRU", ""),
        new Figure("cost", caller + ", read units", counts.readUnits(), "RRU", ""));
  }
}
