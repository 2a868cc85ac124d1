package dev.runyard.bench.section;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.IdleStore;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.demo.Folders;
import dev.runyard.core.access.Identity;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobSnapshotCodec;
import dev.runyard.local.DataFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A job of many echo items beside as many submitted runs, on the same stack; how long its items
/// take to be accepted, and what a run in between notices of it.
public final class JobSection implements Section {
  private static final int WARM_UP = 300;
  private static final int ADDED = 1000;
  private static final int BETWEEN = 40;
  private static final int CONCURRENCY = 50;
  private static final String PART = "job";
  private static final String JOB = "bench";

  private final StackLaunch launch;
  private final int items;

  public JobSection(StackLaunch launch, int items) {
    this.launch = launch;
    this.items = items;
  }

  @Override
  public List<Figure> measure() throws Exception {
    if (launch.emulated()) {
      try (UpProcess stack = launch.start()) {
        return measure(stack);
      }
    }
    Path folder = Project.folder();
    try {
      Path data = folder.resolve("data");
      List<Figure> figures = new ArrayList<>();
      try (UpProcess stack = launch.startOn(data)) {
        figures.addAll(measure(stack));
      }
      figures.add(snapshot(data));
      return figures;
    } finally {
      Folders.delete(folder);
    }
  }

  /// What is stored of the job beside its log, each time it is brought up to that.
  private Figure snapshot(Path data) {
    int[] bytes = new int[1];
    IdleStore.with(
        DataFolder.store(data),
        ports ->
            bytes[0] =
                ports
                    .jobs()
                    .models()
                    .snapshot(new JobKey(Identity.TENANT_DEFAULT, JOB))
                    .map(job -> JobSnapshotCodec.pack(job).length)
                    .orElseThrow());
    return new Figure(
        PART, "snapshot of the job", bytes[0] / 1024.0, "KiB", "%,d items".formatted(items));
  }

  private List<Figure> measure(UpProcess stack) throws Exception {
    try (Runs runs = new Runs(stack.uri())) {
      runs.run(Runs.echo(1, 0), WARM_UP);
      List<Double> idle = between(runs);
      double submitted = submitted(runs);
      List<Double> accepted = new ArrayList<>();
      create(runs, accepted);
      long begin = System.nanoTime();
      runs.job("POST", "/" + JOB + "/start", NullNode.instance);
      List<Double> beside = between(runs);
      runs.jobEnded(JOB, items);
      double asJob = (System.nanoTime() - begin) / 1e9;
      return figures(submitted, asJob, accepted, idle, beside);
    }
  }

  private List<Figure> figures(
      double submitted,
      double asJob,
      List<Double> accepted,
      List<Double> idle,
      List<Double> beside) {
    String note = "%,d of each, %d at once".formatted(items, CONCURRENCY);
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(PART, "submitted runs, first submit to last end", submitted, "s", note));
    figures.add(new Figure(PART, "items of a job, start to end", asJob, "s", note));
    figures.add(new Figure(PART, "job / submitted", asJob / submitted, "x", ""));
    figures.addAll(
        Figure.ofMillis(
            PART,
            "%,d items accepted".formatted(Math.min(items, ADDED)),
            Samples.of(accepted),
            "while none runs"));
    figures.addAll(
        Figure.ofMillis(PART, "a run on an idle stack, to its end", Samples.of(idle), ""));
    figures.addAll(Figure.ofMillis(PART, "the same beside the job", Samples.of(beside), ""));
    return figures;
  }

  private static List<Double> between(Runs runs) throws InterruptedException {
    return runs.run(Runs.echo(1, 0), BETWEEN).stream().map(Runs.Timing::terminalMillis).toList();
  }

  private double submitted(Runs runs) throws InterruptedException {
    long begin = System.nanoTime();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      ids.add(runs.submit(Runs.echo(1, 0)));
    }
    for (String id : ids) {
      if (!runs.get(id).path("closed").asBoolean()) {
        runs.follow(id, _ -> {});
      }
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private void create(Runs runs, List<Double> accepted) {
    ObjectNode job = JsonNodeFactory.instance.objectNode().put("job_id", JOB);
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
      long begin = System.nanoTime();
      runs.job("POST", "/" + JOB + "/items", more);
      accepted.add((System.nanoTime() - begin) / 1e6);
    }
  }
}
