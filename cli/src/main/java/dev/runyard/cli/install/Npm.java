package dev.runyard.cli.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Installs what a lock file names: npm, which runs no script of a package.
public final class Npm {
  private static final List<String> INSTALL =
      List.of("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");

  private final Path program;
  private final Consumer<String> progress;

  private Npm(Path program, Consumer<String> progress) {
    this.program = program;
    this.progress = progress;
  }

  /// Finds it on the search path.
  ///
  /// @throws IOException if it is not there
  public static Npm find(Programs programs, Consumer<String> progress) throws IOException {
    Path program =
        programs
            .find("npm")
            .orElseThrow(() -> new IOException("npm is not there: install Node.js 20 or newer"));
    return new Npm(program, line -> progress.accept("npm: " + line));
  }

  /// Installs into the folder of a lock file.
  ///
  /// @param folder with the lock file
  /// @param what is installed, for the message of a failure
  /// @throws IOException if npm fails
  public void install(Path folder, String what) throws IOException, InterruptedException {
    List<String> command = Stream.concat(Stream.of(program.toString()), INSTALL.stream()).toList();
    if (!new BuildTool(progress).succeeds(new ProcessBuilder(command).directory(folder.toFile()))) {
      throw new IOException("npm could not install %s; is its registry reachable?".formatted(what));
    }
  }
}
