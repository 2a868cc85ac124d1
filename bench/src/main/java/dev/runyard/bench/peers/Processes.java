package dev.runyard.bench.peers;

import dev.runyard.bench.stack.ResidentMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The processes of one system: started with it and ended with it, children included.
final class Processes implements AutoCloseable {
  private static final int STOP_SECONDS_MAX = 20;
  static final int PAUSE_MILLIS = 5;

  private final Path folder;
  private final List<Process> started = new ArrayList<>();

  /// @param folder in which they work and have their output
  Processes(Path folder) {
    this.folder = folder;
  }

  /// Starts one, whose output goes to a file `<name>.log`.
  void start(String name, ProcessBuilder command) throws IOException {
    started.add(
        command
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start());
  }

  /// Waits for the output of one to have a line that begins so, and returns the rest of it.
  String awaitLine(String name, String prefix) throws IOException, InterruptedException {
    Path log = folder.resolve(name + ".log");
    while (true) {
      Optional<String> line =
          Files.readAllLines(log).stream().filter(each -> each.startsWith(prefix)).findFirst();
      if (line.isPresent()) {
        return line.get().substring(prefix.length());
      }
      requireAlive();
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /// @throws IOException if one has ended, so that nothing waits for it in vain
  void requireAlive() throws IOException {
    for (Process process : started) {
      if (!process.isAlive()) {
        throw new IOException("a process ended with " + process.exitValue());
      }
    }
  }

  double megabytes() throws IOException {
    double all = 0;
    for (ProcessHandle process : handles().toList()) {
      all += ResidentMemory.megabytes(process);
    }
    return all;
  }

  @Override
  public void close() {
    List<ProcessHandle> all = handles().toList();
    started.forEach(Process::destroy);
    try {
      for (Process process : started) {
        process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private Stream<ProcessHandle> handles() {
    return started.stream()
        .flatMap(process -> Stream.concat(Stream.of(process.toHandle()), process.descendants()));
  }
}
