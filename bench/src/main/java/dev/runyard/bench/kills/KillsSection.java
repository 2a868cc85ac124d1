package dev.runyard.bench.kills;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.demo.Folders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A job of many items, run by the command line, whose stack is killed while it runs: nothing may
/// be lost and nothing done twice. The first command watches over the kills; the last kill ends it
/// too, and another goes on with `--resume`.
public final class KillsSection implements Section {
  private static final String PART = "kills";
  private static final String JOB = "killed";
  private static final int CONCURRENCY = 50;
  private static final int TRIES_MAX = 5;
  private static final int LOOK_MILLIS = 20;

  private final StackLaunch launch;
  private final int items;
  private final int kills;
  private final List<String> broken = new ArrayList<>();

  /// @param kills of the stack, spread evenly over the job's items
  public KillsSection(StackLaunch launch, int items, int kills) {
    this.launch = launch;
    this.items = items;
    this.kills = kills;
  }

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    try {
      return measure(folder);
    } finally {
      Folders.delete(folder);
    }
  }

  @Override
  public List<String> broken() {
    return List.copyOf(broken);
  }

  private List<Figure> measure(Path folder) throws Exception {
    StackLaunch there = launch.with("--port", String.valueOf(freePort()));
    Path data = folder.resolve("data");
    Path results = folder.resolve("results.jsonl");
    JobCommandLine command =
        new JobCommandLine(
            folder,
            written(folder.resolve("items.jsonl"), prompts()),
            written(folder.resolve("request.json"), List.of(request())),
            results);
    long begin = System.nanoTime();
    UpProcess stack = there.startOn(data);
    Process watching = command.run(stack.uri(), JOB, CONCURRENCY);
    try {
      for (int kill = 1; kill <= kills; kill++) {
        completed(stack, items * kill / (kills + 1));
        stack.kill();
        if (kill == kills) {
          watching.destroyForcibly().waitFor();
        }
        stack = there.startOn(data);
      }
      if (kills > 0) {
        watching = command.resume(stack.uri(), JOB);
      }
      int status = watching.waitFor();
      double seconds = (System.nanoTime() - begin) / 1e9;
      try (Runs runs = new Runs(stack.uri())) {
        return figures(JobCount.of(runs, JOB), status, lines(results), seconds);
      }
    } finally {
      watching.destroyForcibly();
      stack.close();
    }
  }

  private List<Figure> figures(JobCount count, int status, long written, double seconds) {
    String note = "%,d items, the stack killed %d times".formatted(items, kills);
    require(status == 0, "the command ended with " + status);
    require(written == items, "%d results for %d items".formatted(written, items));
    require(count.lost(items) == 0, count.lost(items) + " items are lost");
    require(count.doubled() == 0, count.doubled() + " items were completed more than once");
    require(count.strays() == 0, count.strays() + " runs are no item's");
    require(count.unfinished() == 0, count.unfinished() + " runs have not completed");
    return List.of(
        new Figure(PART, "the job, from its creation to its end", seconds, "s", note),
        new Figure(PART, "items completed once each", count.once(), "", ""),
        new Figure(PART, "items completed more than once", count.doubled(), "", ""),
        new Figure(PART, "items lost", count.lost(items), "", ""),
        new Figure(PART, "runs", count.runs(), "", "all of the stack"),
        new Figure(PART, "runs that are no item's", count.strays(), "", ""),
        new Figure(PART, "runs that have not completed", count.unfinished(), "", ""),
        new Figure(PART, "runs that took another attempt", count.again(), "", ""),
        new Figure(PART, "results of the command line", written, "lines", ""));
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      broken.add(PART + ": " + what);
    }
  }

  /// Waits until so many items are completed.
  private static void completed(UpProcess stack, int items) throws InterruptedException {
    try (Runs runs = new Runs(stack.uri())) {
      long after = 0;
      while (runs.job("GET", "?limit=1", NullNode.instance).path("jobs").isEmpty()) {
        Thread.sleep(LOOK_MILLIS);
      }
      while (runs.job("GET", "/" + JOB, NullNode.instance).at("/counts/completed").asInt()
          < items) {
        after =
            runs.job(
                    "GET",
                    "/%s/events?limit=1000&wait=5&after=%d".formatted(JOB, after),
                    NullNode.instance)
                .path("next_after")
                .asLong();
      }
    }
  }

  private List<String> prompts() {
    List<String> lines = new ArrayList<>();
    for (int i = 1; i <= items; i++) {
      lines.add("\"say " + i + "\"");
    }
    return lines;
  }

  private static String request() {
    ObjectNode request = JsonNodeFactory.instance.objectNode().put("agent", "echo");
    request.putObject("extensions").put("backend.echo.events", 1);
    request.putObject("retry").put("max_attempts", TRIES_MAX).putArray("on").add("runner_lost");
    return request.toString();
  }

  private static Path written(Path file, List<String> lines) throws IOException {
    return Files.write(file, lines);
  }

  private static long lines(Path file) throws IOException {
    try (var lines = Files.lines(file)) {
      return lines.count();
    }
  }

  /// The same for each start, so that who watches finds the stack again.
  private static int freePort() throws IOException {
    try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return held.getLocalPort();
    }
  }
}
