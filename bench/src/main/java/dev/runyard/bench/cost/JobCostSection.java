package dev.runyard.bench.cost;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.AccessTokens;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.cli.demo.Folders;
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

/// What an item of a job asks of AWS beyond what a submitted run does, counted at the SDK on the
/// local stack: as many echo runs are submitted as the job has items, on the same stack.
public final class JobCostSection implements Section {
  private static final int CONCURRENCY = 50;
  private static final int ADDED = 1000;
  private static final Duration SLACK = Duration.ofSeconds(10);
  private static final String PART = "job_cost";

  /// One runner, whose calls are counted, with as many places as a fleet has by default.
  private static final Map<String, String> PACE =
      Map.of("RunnersMin", "1", "RunnersMax", "1", "RunsPerRunner", "40");

  private final int items;

  public JobCostSection(int items) {
    this.items = items;
  }

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    try {
      Path ledger = Files.createDirectory(folder.resolve("ledger"));
      return measure(folder, ledger);
    } finally {
      Folders.delete(folder);
    }
  }

  private List<Figure> measure(Path folder, Path ledger) throws Exception {
    LocalOptions options =
        new LocalOptions(
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            PACE,
            Project.template(),
            Files.createDirectory(folder.resolve("work")),
            Optional.of(AccessTokens.folder()),
            Optional.empty());
    System.setProperty(Threads.LANES, "1"); // a call is counted for the function it comes from
    TaskLaunch runner = TaskLaunch.runner();
    List<String> flags = new ArrayList<>(runner.flags());
    flags.add("-D" + Ledger.FOLDER_PROPERTY + "=" + ledger);
    TaskLaunch counted =
        new TaskLaunch(runner.java(), runner.classPath(), runner.mainClass(), flags);
    try (LocalStack stack = LocalStack.start(options, counted);
        Runs runs = new Runs(stack.uri())) {
      runs.run(Runs.echo(1, 0));
      Map<String, Counts> before = settled(ledger);
      submit(runs);
      Map<String, Counts> submitted = settled(ledger);
      job(runs);
      Map<String, Counts> all = settled(ledger);
      return figures(minus(submitted, before), minus(all, submitted));
    }
  }

  /// What was counted once the functions have done what follows from the last end.
  private static Map<String, Counts> settled(Path ledger) throws Exception {
    Thread.sleep(SLACK);
    return Ledger.counts(ledger);
  }

  private void submit(Runs runs) throws InterruptedException {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      ids.add(runs.submit(Runs.echo(1, 0)));
    }
    for (String id : ids) {
      runs.follow(id, _ -> {});
    }
  }

  private void job(Runs runs) {
    ObjectNode job = JsonNodeFactory.instance.objectNode().put("job_id", "cost");
    job.put("concurrency", CONCURRENCY);
    ObjectNode request = job.putObject("request").put("agent", "echo");
    request.putObject("extensions").put("backend.echo.events", 1);
    runs.job("POST", "", job);
    for (int from = 0; from < items; from += ADDED) {
      ObjectNode more = JsonNodeFactory.instance.objectNode();
      ArrayNode list = more.putArray("items");
      for (int i = from; i < Math.min(items, from + ADDED); i++) {
        list.addObject().put("prompt", "say " + i);
      }
      runs.job("POST", "/cost/items", more);
    }
    runs.job("POST", "/cost/start", NullNode.instance);
    runs.jobEnded("cost", items);
  }

  private static Map<String, Counts> minus(Map<String, Counts> all, Map<String, Counts> before) {
    Map<String, Counts> left = new TreeMap<>();
    all.forEach(
        (caller, counts) ->
            left.put(caller, counts.minus(before.getOrDefault(caller, Counts.NONE))));
    return left;
  }

  private List<Figure> figures(Map<String, Counts> submitted, Map<String, Counts> job)
      throws IOException {
    Map<String, Counts> more = new TreeMap<>();
    List.of("advance", "project", "sweep", "api", CallCounter.RUNNER)
        .forEach(
            caller ->
                more.put(
                    caller,
                    job.getOrDefault(caller, Counts.NONE)
                        .minus(submitted.getOrDefault(caller, Counts.NONE))
                        .dividedBy(items)));
    String note = "%,d items at %d at once, against as many submits".formatted(items, CONCURRENCY);
    List<Figure> figures = new ArrayList<>();
    more.forEach(
        (caller, counts) ->
            figures.addAll(
                List.of(
                    new Figure(PART, caller + ", write units", counts.writeUnits(), "WRU", ""),
                    new Figure(PART, caller + ", read units", counts.readUnits(), "RRU", ""))));
    Counts item = more.values().stream().reduce(Counts.NONE, Counts::plus);
    figures.add(
        new Figure(PART, "an item more than a submit, writes", item.writeUnits(), "WRU", note));
    figures.add(
        new Figure(PART, "an item more than a submit, reads", item.readUnits(), "RRU", note));
    double dollars = RunCost.lines(more).stream().mapToDouble(RunCost.Line::dollars).sum();
    figures.add(new Figure(PART, "1 M items more than 1 M submits", dollars, "$", note));
    return figures;
  }
}
