package dev.runyard.bench.big;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.demo.Folders;
import dev.runyard.core.access.Identity;
import dev.runyard.local.DataFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A stack on a folder with many events, beside one on an empty folder: how long it takes to start,
/// how long runs take, what a list costs, and its memory.
public final class BigSection implements Section {
  private static final int EVENTS_A_RUN = 10_000;
  private static final int RUNS = 300;
  private static final int LISTS = 100;
  private static final double BYTES_PER_MEGABYTE = 1024.0 * 1024;

  private final StackLaunch launch;
  private final int events;

  /// @param events that the folder has
  public BigSection(StackLaunch launch, int events) {
    this.launch = launch;
    this.events = events;
  }

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    try {
      launch.start().close();
      List<Figure> figures = new ArrayList<>(measure(folder.resolve("empty"), "empty"));
      Path big = folder.resolve("big");
      long begin = System.nanoTime();
      FilledStore.fill(
          DataFolder.store(big), Identity.TENANT_DEFAULT, events / EVENTS_A_RUN, EVENTS_A_RUN);
      String name = "%,d events".formatted(events);
      String note = "filled in %.0f s".formatted((System.nanoTime() - begin) / 1e9);
      figures.add(new Figure("big", name + ", file", megabytes(big), "MB", note));
      figures.addAll(measure(big, name));
      return figures;
    } finally {
      Folders.delete(folder);
    }
  }

  private static double megabytes(Path data) throws Exception {
    try (var files = Files.walk(data)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum()
          / BYTES_PER_MEGABYTE;
    }
  }

  private List<Figure> measure(Path data, String name) throws Exception {
    List<Figure> figures = new ArrayList<>();
    try (UpProcess stack = launch.startOn(data);
        Runs runs = new Runs(stack.uri())) {
      figures.add(new Figure("big", name + ", start to ready", stack.readyMillis(), "ms", ""));
      figures.add(memory(stack, name + ", memory when ready"));
      List<Double> ends =
          runs.run(Runs.echo(1, 0), RUNS).stream().map(Runs.Timing::terminalMillis).toList();
      figures.addAll(Figure.ofMillis("big", name + ", echo", Samples.of(ends), ""));
      List<Double> lists = new ArrayList<>();
      for (int i = 0; i < LISTS; i++) {
        long begin = System.nanoTime();
        runs.list();
        lists.add((System.nanoTime() - begin) / 1e6);
      }
      figures.addAll(Figure.ofMillis("big", name + ", a list", Samples.of(lists), ""));
      figures.add(memory(stack, name + ", memory after " + RUNS + " runs"));
    }
    return figures;
  }

  private static Figure memory(UpProcess stack, String name) throws Exception {
    return new Figure("big", name, stack.stackMegabytes(), "MB", "");
  }
}
