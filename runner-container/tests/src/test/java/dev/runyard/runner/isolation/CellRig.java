package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.ProcessEnd;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import dev.runyard.runner.workspace.Workspace;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Attempts of one runner in their cells, with real processes, none of which is left behind.
final class CellRig implements AutoCloseable {
  static final AttemptLimits LIMITS = AttemptLimits.of("{}", 8L << 30);

  private static final Map<String, String> ENVIRONMENT =
      Map.of("PATH", "/usr/bin:/bin", "SECRET", "canary-of-the-attempt");

  private final List<Attempt> attempts = new ArrayList<>();
  private final Path work;
  private final Isolation isolation;

  CellRig(Path folder, IsolationLevel level, AttemptLimits limits) throws IOException {
    this(folder, level, limits, List.of());
  }

  /// @param hidden files and folders that attempts must not read
  CellRig(Path folder, IsolationLevel level, List<Path> hidden) throws IOException {
    this(folder, level, LIMITS, hidden);
  }

  private CellRig(Path folder, IsolationLevel level, AttemptLimits limits, List<Path> hidden)
      throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    work = folder.resolve("work");
    isolation =
        Isolation.decide(
            new Isolation.Setting(
                new IsolationChoice(Optional.of(level)),
                "stack",
                work,
                limits,
                System.getenv("PATH"),
                List.of(),
                hidden));
  }

  static CellRig users(Path folder) throws IOException {
    return new CellRig(folder, IsolationLevel.UID, LIMITS);
  }

  Isolation isolation() {
    return isolation;
  }

  /// An attempt without a process.
  Attempt attempt() throws IOException {
    RunMark mark = new RunMark(UUID.randomUUID().toString(), "1");
    Workspace home = Workspace.create(work.resolve("homes"), mark);
    Workspace workspace = Workspace.create(work.resolve("workspaces"), mark);
    Cell cell = isolation.cell(mark.value(), List.of(home.path(), workspace.path()));
    Attempt attempt = new Attempt(mark, workspace, cell);
    attempts.add(attempt);
    return attempt;
  }

  @Override
  public void close() {
    attempts.forEach(Attempt::close);
  }

  /// One attempt and what it started.
  static final class Attempt {
    private final RunMark mark;
    private final Workspace workspace;
    private final Cell cell;
    private final List<AgentProcess> started = new ArrayList<>();

    private Attempt(RunMark mark, Workspace workspace, Cell cell) {
      this.mark = mark;
      this.workspace = workspace;
      this.cell = cell;
    }

    RunMark mark() {
      return mark;
    }

    Cell cell() {
      return cell;
    }

    Path workspace() {
      return workspace.path();
    }

    int uid() {
      return Objects.requireNonNull(cell.told().orElseThrow().uid());
    }

    /// A script whose `read` waits for ever.
    AgentProcess shell(String script) {
      return shell(script, workspace.path());
    }

    /// The same in another working directory.
    AgentProcess shell(String script, Path workingDir) {
      return start(List.of("sh", "-c", script), workingDir, ENVIRONMENT);
    }

    /// A program with variables of its own.
    AgentProcess program(List<String> argv, Map<String, String> environment) {
      return start(argv, workspace.path(), environment);
    }

    private AgentProcess start(
        List<String> argv, Path workingDir, Map<String, String> environment) {
      AgentCommand command = new AgentCommand(argv, workingDir, environment, new Stdin.Open());
      AgentProcess agent =
          assertInstanceOf(
              AgentProcess.class, ProcessLauncher.onThisMachine().in(cell).start(command, mark));
      started.add(agent);
      return agent;
    }

    void close() {
      started.forEach(AgentProcess::kill);
      cell.close();
    }
  }

  static ProcessEnd end(AgentProcess agent) {
    return await(agent.end());
  }

  static <T> T await(java.util.concurrent.CompletableFuture<T> future) {
    try {
      return future.get(TestPatience.LONG_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("it did not happen", e);
    }
  }

  static String line(AgentProcess agent) throws IOException {
    Optional<Line> line = agent.stdout().next();
    return assertInstanceOf(
            Line.Text.class,
            line.orElseThrow(() -> new AssertionError("nothing printed: " + agent.stderrTail())))
        .text();
  }
}
