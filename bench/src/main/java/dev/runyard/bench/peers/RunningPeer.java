package dev.runyard.bench.peers;

import java.io.IOException;
import java.nio.file.Path;

/// A peer whose processes this one has started.
abstract class RunningPeer implements Product.Started {

  /// A piece of work, in JSON.
  static final String TEXT =
      "\"A line of about eighty bytes, as a model's delta has, gathered up.\"";

  private final Processes processes;
  private final PeerClient client = new PeerClient();
  private double readyMillis;

  /// @param folder in which its processes work
  RunningPeer(Path folder) {
    this.processes = new Processes(folder);
  }

  /// Starts its processes, and returns when it takes work.
  abstract void start() throws IOException, InterruptedException;

  /// The same, timed. What was started ends if the start fails.
  final Product.Started started() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    try {
      start();
      readyMillis = millisSince(begin);
      return this;
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  final Processes processes() {
    return processes;
  }

  final PeerClient client() {
    return client;
  }

  static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  @Override
  public final double readyMillis() {
    return readyMillis;
  }

  @Override
  public final double megabytes() throws IOException {
    return processes.megabytes();
  }

  @Override
  public final void close() {
    processes.close();
    client.close();
  }
}
