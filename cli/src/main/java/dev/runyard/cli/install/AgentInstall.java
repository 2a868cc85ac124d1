package dev.runyard.cli.install;

import dev.runyard.cli.demo.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Installs agent CLIs with npm into the cache, and finds those that are there.
public final class AgentInstall {
  private static final String LINKS = "bin";

  private final Programs programs;
  private final Path cache;
  private final Consumer<String> progress;

  public AgentInstall(Programs programs, Path cache, Consumer<String> progress) {
    this.programs = programs;
    this.cache = cache;
    this.progress = progress;
  }

  /// Installs with these environment variables, and prints what it does.
  public static AgentInstall of(Map<String, String> env, Path cache) {
    return new AgentInstall(new Programs(env), cache, System.err::println);
  }

  /// The program, if it is installed.
  public Optional<Path> find(AgentPackage agent) throws IOException {
    return agent.installed(cache);
  }

  /// The program itself, which is installed first if necessary.
  public Path program(AgentPackage agent) throws IOException, InterruptedException {
    Optional<Path> present = find(agent);
    if (present.isEmpty()) {
      install(agent);
    }
    Path program =
        find(agent)
            .orElseThrow(
                () ->
                    new IOException(
                        agent.npmPackage() + " has no program for this kind of machine"));
    link(agent, program);
    return program;
  }

  /// One folder links to all programs, for a search path.
  private void link(AgentPackage agent, Path program) throws IOException {
    Path link = Files.createDirectories(cache.resolve(LINKS)).resolve(agent.command());
    if (Files.exists(link) && Files.isSameFile(link, program)) {
      return;
    }
    Path fresh = Files.createTempDirectory(cache.resolve(LINKS), "link-");
    try {
      Path made = Files.createSymbolicLink(fresh.resolve(agent.command()), program);
      Files.move(made, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Folders.delete(fresh);
    }
  }

  private void install(AgentPackage agent) throws IOException, InterruptedException {
    Path folder = agent.folder(cache);
    progress.accept(
        "installing %s %s into %s".formatted(agent.npmPackage(), agent.version(), folder));
    Npm npm = Npm.find(programs, progress);
    Files.createDirectories(folder.getParent());
    Path fresh = Files.createTempDirectory(folder.getParent(), "installing-");
    try {
      for (String file : AgentPackage.FILES) {
        try (InputStream in = AgentPackage.resource(agent.name(), file)) {
          Files.copy(in, fresh.resolve(file));
        }
      }
      npm.install(fresh, agent.npmPackage() + " " + agent.version());
      publish(fresh, agent);
    } finally {
      Folders.delete(fresh);
    }
  }

  /// Another install may have finished first; then its result is used. Users of attempts run what
  /// is in it.
  private void publish(Path fresh, AgentPackage agent) throws IOException {
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      Files.move(fresh, agent.folder(cache));
    } catch (FileSystemException e) {
      if (find(agent).isEmpty()) {
        throw e;
      }
    }
  }
}
