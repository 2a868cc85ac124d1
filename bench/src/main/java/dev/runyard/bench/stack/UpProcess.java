package dev.runyard.bench.stack;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/// A stack as a user has one: the process of `./runyard up`.
public final class UpProcess implements AutoCloseable {
  private static final int STOP_SECONDS_MAX = 150;

  private final Process process;
  private final URI uri;
  private final double readyMillis;

  UpProcess(Process process, URI uri, double readyMillis) {
    this.process = process;
    this.uri = uri;
    this.readyMillis = readyMillis;
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

  /// Resident memory of its children together: emulated runners are.
  public double childrenMegabytes() throws IOException {
    double all = 0;
    for (ProcessHandle child : process.children().toList()) {
      all += ResidentMemory.megabytes(child);
    }
    return all;
  }

  /// Ends the stack as `kill -9` does.
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
