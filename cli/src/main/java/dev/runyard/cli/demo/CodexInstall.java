package dev.runyard.cli.demo;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.doctor.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Installs the Codex CLI at the one version the demo was tested with, into the cache. The version
/// and the hashes of every file come from the `package.json` and lock file beside this class.
public final class CodexInstall {
  static final String PACKAGE = "@openai/codex";
  private static final List<String> FILES = List.of("package.json", "package-lock.json");
  private static final int PROGRAM_DEPTH_MAX = 7;

  private final Programs programs;
  private final Path folder;
  private final Consumer<String> progress;

  public CodexInstall(Programs programs, Path cache, Consumer<String> progress) {
    this.programs = programs;
    this.folder = cache.resolve("codex").resolve(version());
    this.progress = progress;
  }

  /// The pinned version.
  public static String version() {
    try (InputStream in = resource("package.json")) {
      return JsonMapper.builder().build().readTree(in).path("dependencies").path(PACKAGE).asText();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /// The program itself, not npm's wrapper around it: ending a wrapper would leave Codex running.
  public Path program() throws IOException, InterruptedException {
    Optional<Path> present = find();
    if (present.isPresent()) {
      return present.get();
    }
    progress.accept("installing " + PACKAGE + " " + version() + " into " + folder);
    Path npm =
        programs
            .find("npm")
            .orElseThrow(() -> new IOException("npm is not there: install Node.js 20 or newer"));
    Files.createDirectories(folder.getParent());
    Path fresh = Files.createTempDirectory(folder.getParent(), "installing-");
    try {
      for (String file : FILES) {
        try (InputStream in = resource(file)) {
          Files.copy(in, fresh.resolve(file));
        }
      }
      npm(npm, fresh);
      publish(fresh);
    } finally {
      Folders.delete(fresh);
    }
    return find()
        .orElseThrow(() -> new IOException(PACKAGE + " has no program for this kind of machine"));
  }

  private Optional<Path> find() throws IOException {
    Path packages = folder.resolve("node_modules").resolve("@openai");
    if (!Files.isDirectory(packages)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(packages, PROGRAM_DEPTH_MAX)) {
      return files
          .filter(file -> packages.relativize(file).toString().contains("vendor"))
          .filter(file -> file.getFileName().toString().matches("codex(\\.exe)?"))
          .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
          .findFirst();
    }
  }

  /// Another install may have finished first; then that one is as good.
  private void publish(Path fresh) throws IOException {
    try {
      Files.move(fresh, folder);
    } catch (FileSystemException e) {
      if (find().isEmpty()) {
        throw e;
      }
    }
  }

  private void npm(Path npm, Path fresh) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                npm.toString(),
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--loglevel=error")
            .directory(fresh.toFile())
            .redirectErrorStream(true)
            .start();
    try {
      process.getOutputStream().close();
      try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
        lines
            .lines()
            .filter(line -> !line.isBlank())
            .forEach(line -> progress.accept("npm: " + line));
      }
      if (process.waitFor() != 0) {
        throw new IOException(
            "npm could not install " + PACKAGE + " " + version() + "; is its registry reachable?");
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = CodexInstall.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException("the resource " + name + " is missing");
    }
    return in;
  }
}
