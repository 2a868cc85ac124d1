package dev.runyard.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Finds programs on the search path and asks them for their version.
public final class Programs {
  /// Longest wait for a program to print its version. The slowest CLI takes 3 seconds on an idle
  /// machine, and a multiple of it beside a build.
  static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  private static final int OUTPUT_BYTES_MAX = 8192;

  private final List<Path> folders;

  public Programs(Map<String, String> env) {
    this.folders =
        List.of(env.getOrDefault("PATH", "").split(java.io.File.pathSeparator)).stream()
            .filter(folder -> !folder.isEmpty())
            .map(Path::of)
            .toList();
  }

  /// The file that the name would start; empty when there is none.
  public Optional<Path> find(String name) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /// The first line the program prints; empty when it fails or does not answer in time.
  public Optional<String> firstLine(Path program, String... arguments) throws InterruptedException {
    List<String> command =
        java.util.stream.Stream.concat(
                java.util.stream.Stream.of(program.toString()), List.of(arguments).stream())
            .toList();
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try {
        process.getOutputStream().close();
        var output = new java.util.concurrent.FutureTask<>(() -> read(process));
        Thread.ofPlatform().daemon().start(output);
        if (!process.waitFor(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
            || process.exitValue() != 0) {
          return Optional.empty();
        }
        return output
            .get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS)
            .lines()
            .filter(line -> !line.isBlank())
            .findFirst();
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (IOException
        | java.util.concurrent.ExecutionException
        | java.util.concurrent.TimeoutException _) {
      return Optional.empty();
    }
  }

  private static String read(Process process) throws IOException {
    return new String(
        process.getInputStream().readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
  }
}
