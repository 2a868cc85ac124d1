package dev.runyard.bench.peers;

import java.io.IOException;
import java.nio.file.Path;

/// A system that is measured.
interface Product {
  String name();

  /// Puts its programs in place, from public packages at the versions that are pinned.
  ///
  /// @throws IOException if it cannot be measured on this machine; the message says why
  void install() throws IOException, InterruptedException;

  /// Starts it and waits until it takes work.
  ///
  /// @param folder for what it stores, empty
  Started start(Path folder) throws IOException, InterruptedException;

  /// A system that is up, until it is closed.
  interface Started extends AutoCloseable {

    /// From the start of its processes to the moment at which it took work.
    double readyMillis();

    /// Resident memory of all its processes.
    double megabytes() throws IOException;

    /// Gives it one piece of work and waits for its end, which must be a good one.
    Work work() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
  }
}
