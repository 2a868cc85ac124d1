package dev.runyard.cli;

import java.nio.file.Path;
import java.util.Map;

/// The folder of things that can be created again: installed agent CLIs and start-up archives. Not
/// below a temporary folder, because Codex refuses to work from one. That of root is not in its
/// home, which is closed to others as a rule: attempts of root's stacks have users of their own,
/// which must reach the programs.
public final class CacheFolder {
  private static final Path CACHES_OF_ROOT = Path.of("/var/cache");

  private CacheFolder() {}

  /// The folder of the user of this process.
  public static Path of(Map<String, String> env) {
    return of(env, System.getProperty("user.name").equals("root"));
  }

  static Path of(Map<String, String> env, boolean root) {
    String own = env.getOrDefault("RUNYARD_CACHE", "");
    if (!own.isEmpty()) {
      return Path.of(own).toAbsolutePath().normalize();
    }
    String caches = env.getOrDefault("XDG_CACHE_HOME", "");
    Path parent =
        !caches.isEmpty()
            ? Path.of(caches)
            : root
                ? CACHES_OF_ROOT
                : Path.of(env.getOrDefault("HOME", System.getProperty("user.home")), ".cache");
    return parent.resolve("runyard").toAbsolutePath().normalize();
  }
}
