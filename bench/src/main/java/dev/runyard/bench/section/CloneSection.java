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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// From submit to the first event of an agent that begins with a repository of 200 MB, in turn with
/// `git clone` of the same repository from the same server, and with runs without a repository.
public final class CloneSection implements Section {
  private static final int FILES = 2_000;
  private static final int FILE_BYTES = 100_000;
  private static final int FOLDER_FILES = 50;
  private static final int ROUNDS = 7;
  private static final String PART = "clone";
  private static final String NOTE = "200 MB in 2,000 files, from the same machine";

  private final StackLaunch launch;

  public CloneSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    List<Double> plain = new ArrayList<>();
    List<Double> cloned = new ArrayList<>();
    List<Double> without = new ArrayList<>();
    repository(folder.resolve("served/large"));
    try (HttpRepositories server = new HttpRepositories(folder.resolve("served"));
        UpProcess stack = launch.start(Optional.of(StandIn.install(folder)));
        Runs runs = new Runs(stack.uri())) {
      NewRun bare = StandIn.lines(1, 0, 0);
      NewRun large = bare.with(workspace(server.url("large")));
      runs.run(bare, ROUNDS);
      runs.run(large);
      for (int i = 0; i < ROUNDS; i++) {
        plain.add(plainClone(folder, server.url("large")));
        cloned.add(runs.run(large).agentMillis());
        without.add(runs.run(bare).agentMillis());
      }
    } finally {
      Folders.delete(folder);
    }
    List<Figure> figures = new ArrayList<>();
    figures.addAll(Figure.ofMillis(PART, "git clone --depth 1", Samples.of(plain), NOTE));
    figures.addAll(
        Figure.ofMillis(PART, "submit to the agent's first event", Samples.of(cloned), NOTE));
    figures.addAll(Figure.ofMillis(PART, "the same without a repository", Samples.of(without), ""));
    return figures;
  }

  private static NewRun.Workspace workspace(String url) {
    return new NewRun.Workspace(
        new NewRun.Repository(url, null, null, null, List.of(), null, null),
        null,
        null,
        null,
        null,
        List.of(),
        null,
        List.of(),
        null,
        null);
  }

  private static void repository(Path path) throws IOException, InterruptedException {
    Random random = new Random(1);
    byte[] content = new byte[FILE_BYTES];
    for (int i = 0; i < FILES; i++) {
      Path folder = Files.createDirectories(path.resolve("folder" + i / FOLDER_FILES));
      random.nextBytes(content);
      Files.write(folder.resolve("file" + i), content);
    }
    git(path, "init", "-q", "-b", "main");
    git(path, "add", "-A");
    git(path, "-c", "user.name=n", "-c", "user.email=a@b", "commit", "-q", "-m", "large");
    git(path, "repack", "-q", "-a", "-d", "--window=0");
  }

  private static double plainClone(Path folder, String url)
      throws IOException, InterruptedException {
    Path into = folder.resolve("plain");
    long begin = System.nanoTime();
    git(folder, "clone", "-q", "--depth", "1", url, into.toString());
    double millis = (System.nanoTime() - begin) / 1e6;
    Folders.delete(into);
    return millis;
  }

  private static void git(Path in, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(in.toFile());
    builder.environment().putAll(Map.of("GIT_CONFIG_GLOBAL", "/dev/null"));
    if (builder.inheritIO().start().waitFor() != 0) {
      throw new IOException("git " + args[0] + " failed");
    }
  }
}
