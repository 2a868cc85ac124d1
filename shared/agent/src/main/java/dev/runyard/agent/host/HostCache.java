package dev.runyard.agent.host;

import dev.runyard.core.ids.Digest;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A cache of the host's classes as a JVM has them once it has executed an agent, with which the
/// next one starts in half the time. An image has one beside the host's jar. Elsewhere it is made
/// in the background when it is first missed, in a folder of the user's, and again when the jars
/// have changed.
///
/// A JVM that cannot use its cache starts without it, so a wrong one costs time and nothing else.
/// Thread-safe.
final class HostCache {
  /// The name of a cache that lies beside the host's jar.
  static final String BESIDE = "agent-host.jsa";

  static final int MAKE_SECONDS_MAX = 60;

  private final Path folder;
  private final Executor background;
  private final AtomicBoolean made = new AtomicBoolean();

  /// @param folder of caches that are made
  /// @param background makes the one that a search did not find, while the search goes on
  HostCache(Path folder, Executor background) {
    this.folder = folder;
    this.background = background;
  }

  /// Where this user's are made. Root's home is closed to the users of attempts.
  static Path folder() {
    return System.getProperty("user.name").equals("root")
        ? Path.of("/var/cache/runyard")
        : Path.of(System.getProperty("user.home"), ".cache", "runyard");
  }

  /// The cache of these classes, if there is one now.
  Optional<Path> find(List<Path> host) {
    Path beside = host.getFirst().resolveSibling(BESIDE);
    if (Files.isRegularFile(beside)) {
      return Optional.of(beside);
    }
    if (!host.stream().allMatch(Files::isRegularFile)) {
      return Optional.empty();
    }
    Path own = file(host);
    if (isNewer(own, host)) {
      return Optional.of(own);
    }
    if (made.compareAndSet(false, true)) {
      background.execute(() -> make(host));
    }
    return Optional.empty();
  }

  /// Makes the cache of these jars. Without one if that fails.
  void make(List<Path> host) {
    try {
      Path file = file(host);
      Files.createDirectories(folder);
      Path begun = Files.createTempFile(folder, file.getFileName().toString(), "");
      try {
        Files.delete(begun);
        if (rehearsed(host, begun) && Files.isRegularFile(begun)) {
          Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE);
        }
      } finally {
        Files.deleteIfExists(begun);
      }
    } catch (IOException _) {
      return;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean rehearsed(List<Path> host, Path cache)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(AgentJvm.rehearsing(host, cache))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    builder.environment().clear();
    Process process = builder.start();
    if (!process.waitFor(MAKE_SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return false;
    }
    return process.exitValue() == 0;
  }

  private static boolean isNewer(Path cache, List<Path> host) {
    try {
      if (!Files.isRegularFile(cache)) {
        return false;
      }
      for (Path jar : host) {
        if (Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(cache)) > 0) {
          return false;
        }
      }
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// One file for each JDK and place of the jars, so that no old ones pile up.
  private Path file(List<Path> host) {
    String what = System.getProperty("java.home") + System.getProperty("java.vm.version") + host;
    return folder.resolve("agent-host-" + Digest.hex(what) + ".jsa");
  }
}
