package dev.runyard.runner.process;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.runner.process.ProcessEntry.State;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/// Starts real processes as agents for a test, and leaves none of them behind.
final class AgentRig implements AutoCloseable {

  static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin");

  private final ProcessLauncher launcher =
      new ProcessLauncher(
          new LinuxProcessTable(),
          new Waiting(),
          Charset.forName(System.getProperty("sun.jnu.encoding")));
  private final LinuxProcessTable table = new LinuxProcessTable();
  private final List<AgentProcess> started = new ArrayList<>();
  private final Path directory;

  AgentRig(Path directory) {
    this.directory = directory;
  }

  static RunMark freshMark() {
    return new RunMark(UUID.randomUUID().toString(), "1");
  }

  AgentCommand command(String... argv) {
    return new AgentCommand(List.of(argv), directory, ENVIRONMENT, new Stdin.Closed());
  }

  /// A script whose `read` waits for ever.
  AgentProcess shell(String script) {
    return start(
        new AgentCommand(List.of("sh", "-c", script), directory, ENVIRONMENT, new Stdin.Open()));
  }

  AgentProcess start(AgentCommand command) {
    return start(command, freshMark());
  }

  AgentProcess start(AgentCommand command, RunMark mark) {
    AgentProcess agent = assertInstanceOf(AgentProcess.class, launcher.start(command, mark));
    started.add(agent);
    return agent;
  }

  Termination.NotStarted refused(AgentCommand command) {
    return assertInstanceOf(Termination.NotStarted.class, launcher.start(command, freshMark()));
  }

  static ProcessEnd end(AgentProcess agent) {
    try {
      return agent.end().get(TestPatience.LONG_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("the agent did not end", e);
    }
  }

  static String line(AgentProcess agent) throws IOException {
    Optional<Line> line = agent.stdout().next();
    return assertInstanceOf(Line.Text.class, line.orElseThrow()).text();
  }

  static List<String> lines(AgentProcess agent) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Optional<Line> line = agent.stdout().next();
        line.isPresent();
        line = agent.stdout().next()) {
      lines.add(assertInstanceOf(Line.Text.class, line.get()).text());
    }
    return lines;
  }

  boolean alive(String pid) {
    return table
        .find(Integer.parseInt(pid))
        .filter(entry -> entry.state() != State.DEAD)
        .isPresent();
  }

  List<ProcessEntry> marked(RunMark mark) {
    return table.snapshot(0).stream().filter(entry -> entry.mark().equals(mark.value())).toList();
  }

  /// Time that passes only while somebody waits: how long it takes to look and to signal depends on
  /// the machine, and leaves a grace as long as it is.
  static final class Waiting implements Pacer {
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public void pause(Duration length) throws InterruptedException {
      Pacer.system().pause(length);
      nanos.addAndGet(length.toNanos());
    }
  }

  @Override
  public void close() {
    for (AgentProcess agent : started) {
      assertTrue(agent.terminate(Duration.ZERO).complete());
    }
  }
}
