package dev.runyard.bench.stack;

import dev.runyard.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A stack as a user has one: the process of `./runyard up`, with its runners as processes below
/// it.
public final class UpProcess implements AutoCloseable {
  private static final String READY = "ready ";
  private static final int STOP_SECONDS_MAX = 60;

  private final Process process;
  private final URI uri;
  private final double readyMillis;

  private UpProcess(Process process, URI uri, double readyMillis) {
    this.process = process;
    this.uri = uri;
    this.readyMillis = readyMillis;
  }

  public static UpProcess start() throws IOException {
    return start(Optional.empty());
  }

  /// Starts a stack and waits until it is ready.
  ///
  /// @param agents how the agent CLIs are started
  public static UpProcess start(Optional<Path> agents) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(Project.launcher().toString(), "up", "--port", "0"));
    agents.ifPresent(file -> command.addAll(List.of("--agents", file.toString())));
    return start(command);
  }

  /// Starts a stack of the template in `home` and waits until it is ready. It comes from this
  /// process's own class path, so that nothing is built.
  public static UpProcess start(Path home) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Drunyard.home=" + home,
            "-cp",
            System.getProperty("java.class.path", ""),
            Main.class.getName(),
            "up",
            "--port",
            "0"));
    return start(command);
  }

  private static UpProcess start(List<String> command) throws IOException {
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(READY)) {
        double millis = (System.nanoTime() - begin) / 1e6;
        return new UpProcess(process, URI.create(line.substring(READY.length())), millis);
      }
    }
    process.destroyForcibly();
    throw new IOException("no stack: try ./runyard up");
  }

  public URI uri() {
    return uri;
  }

  /// From the start of the process to its `ready` line.
  public double readyMillis() {
    return readyMillis;
  }

  /// Resident memory of the stack's own process.
  public double stackMegabytes() throws IOException {
    return ResidentMemory.megabytes(process.toHandle());
  }

  /// Processor time the stack's own process has taken.
  public double processorSeconds() {
    return process.info().totalCpuDuration().map(taken -> taken.toMillis() / 1e3).orElse(0.0);
  }

  /// Resident memory of its runners together.
  public double runnerMegabytes() throws IOException {
    double all = 0;
    for (ProcessHandle child : process.children().toList()) {
      all += ResidentMemory.megabytes(child);
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
