package dev.runyard.bench.stack;

import dev.runyard.cli.CacheFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Where the project is, and where a benchmark may put its files.
public final class Project {
  private static final Path HOME = Path.of(System.getProperty("runyard.home", "."));

  private Project() {}

  public static Path launcher() {
    return HOME.resolve("runyard");
  }

  public static Path template() {
    return HOME.resolve("template.yaml");
  }

  /// What is needed to install and start other systems, a folder each.
  public static Path peers() {
    return HOME.resolve("bench/peers");
  }

  /// What a build makes, and whatever can be made again.
  public static Path target() {
    return HOME.resolve("bench/target");
  }

  /// Installed programs and other things that can be made again.
  public static Path cache() {
    return CacheFolder.of(System.getenv());
  }

  /// A new folder; not a temporary one of the system, since Codex refuses to work from one. Users
  /// of attempts may pass through it. Its user deletes it.
  public static Path folder() throws IOException {
    Path made =
        Files.createTempDirectory(Files.createDirectories(cache().resolve("bench")), "run-");
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx--x--x"));
    return made;
  }
}
