package dev.runyard.runner.process;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.isolation.Cell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A running agent: its output, its end, and everything it started.
///
/// It has ended when its main process has exited and nothing it started is left. Its standard
/// output must be read by one thread; while nobody reads, the pipe fills and the agent waits.
public final class AgentProcess implements Launch {

  /// Bytes kept of the end of standard error.
  public static final int STDERR_TAIL_BYTES_MAX = 16_384;

  /// How long the end waits for the rest of standard error, which is over unless a process got away
  /// that still holds it.
  public static final int STDERR_DRAIN_MILLIS = 10_000;

  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;
  private static final int NOT_ENTERED = 125;
  private static final List<String> ENTERING = List.of("/usr/bin/env: ", "/bin/env: ");
  private static final List<String> REFUSING = List.of("setsid: ", "/usr/bin/env: ", "/bin/env: ");
  private static final List<String> ENCLOSING = List.of("prlimit: ", "setpriv: ", "bwrap: ");

  private final Process process;
  private final Path program;
  private final ProcessTree tree;
  private final LineReader stdout;
  private final StderrTail stderr = new StderrTail(STDERR_TAIL_BYTES_MAX);
  private final CompletableFuture<ProcessEnd> end = new CompletableFuture<>();
  private final CompletableFuture<Failure> limit = new CompletableFuture<>();
  private final Cell cell;
  private final Cell.Watching watching;

  private AgentProcess(Process process, Path program, ProcessTree tree, Cell cell) {
    this.process = process;
    this.program = program;
    this.tree = tree;
    this.cell = cell;
    this.watching = cell.watch(limit::complete);
    this.stdout = new LineReader(process.getInputStream());
  }

  static AgentProcess follow(
      Process process, Path program, ProcessTree tree, Stdin stdin, Cell cell) {
    AgentProcess agent = new AgentProcess(process, program, tree, cell);
    Thread drain = agent.thread("stderr", () -> agent.stderr.drain(process.getErrorStream()));
    agent.thread("end", () -> agent.awaitEnd(drain));
    agent.feed(stdin);
    return agent;
  }

  /// The id of the main process, which is also the id of its process group and session.
  public long pid() {
    return process.pid();
  }

  /// The lines it prints.
  public LineReader stdout() {
    return stdout;
  }

  /// Its standard input, buffered; writes fail unless the command said [Stdin.Open].
  public OutputStream stdin() {
    return process.getOutputStream();
  }

  /// The last [#STDERR_TAIL_BYTES_MAX] bytes of standard error so far. It may contain secrets: use
  /// it to classify a failure, do not store it.
  public String stderrTail() {
    return stderr.text();
  }

  /// Every process of this agent.
  public ProcessTree tree() {
    return tree;
  }

  /// What keeps it apart, for the run's log; empty where nothing is told.
  public Optional<SandboxApplied> sandbox() {
    return cell.told();
  }

  /// Completes when the agent has reached a limit, for which it must be ended.
  public CompletableFuture<Failure> limit() {
    return limit.copy();
  }

  /// Whether the main process has not exited.
  public boolean isRunning() {
    return process.isAlive();
  }

  /// Completes once the main process has exited and what it left behind has been ended.
  public CompletableFuture<ProcessEnd> end() {
    return end.copy();
  }

  /// Ends the agent and all it started, with [ProcessTree#GRACE_SECONDS] of grace.
  public Reaping terminate() {
    return terminate(Duration.ofSeconds(ProcessTree.GRACE_SECONDS));
  }

  /// Ends the agent and all it started.
  public Reaping terminate(Duration grace) {
    return tree.terminate(grace);
  }

  /// Kills the agent and all it started.
  public Reaping kill() {
    return tree.kill();
  }

  private void awaitEnd(Thread drain) {
    try {
      int value = process.waitFor();
      Reaping leftovers = tree.terminate(Duration.ofSeconds(ProcessTree.LEFTOVER_GRACE_SECONDS));
      watching.close();
      drain.join(Duration.ofMillis(STDERR_DRAIN_MILLIS));
      end.complete(new ProcessEnd(termination(value), leftovers));
    } catch (Throwable e) {
      watching.close();
      end.completeExceptionally(e);
    }
  }

  /// Only the message of what should have become the program shows that the kernel refused it. An
  /// agent that itself fails to start such a program names that one and not this.
  private Termination termination(int value) {
    List<String> said = stderr.text().lines().toList();
    if (said.size() == 1 && value != 0) {
      String line = said.getFirst();
      String cause = line.substring(line.lastIndexOf(": ") + 2);
      boolean refused =
          line.contains(program.toString())
              && REFUSING.stream().anyMatch(line::startsWith)
              && (value == NOT_FOUND || value == NOT_EXECUTABLE);
      if (refused) {
        return new Termination.NotStarted("the program cannot be executed: " + cause);
      }
      if (value == NOT_ENTERED && ENTERING.stream().anyMatch(line::startsWith)) {
        return new Termination.NotStarted("the working directory cannot be entered: " + cause);
      }
      if (cell != Cell.OPEN && ENCLOSING.stream().anyMatch(line::startsWith)) {
        return new Termination.NotStarted("its isolation could not be made: " + cause);
      }
    }
    return Termination.ofExitValue(value);
  }

  private void feed(Stdin stdin) {
    switch (stdin) {
      case Stdin.Open() -> {}
      case Stdin.Closed() -> write(ByteBuffer.allocate(0));
      case Stdin.Bytes(ByteBuffer content) -> thread("stdin", () -> write(content));
    }
  }

  /// An agent that exits without reading its input breaks the pipe; its exit is reported anyway.
  private void write(ByteBuffer content) {
    try (WritableByteChannel input = Channels.newChannel(process.getOutputStream())) {
      input.write(content);
    } catch (IOException e) {
      return;
    }
  }

  private Thread thread(String task, Runnable work) {
    return Thread.ofPlatform().daemon().name("agent-" + pid() + "-" + task).start(work);
  }
}
