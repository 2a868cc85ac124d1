package dev.runyard.cli;

import java.nio.file.Path;
import java.util.Map;

/// The folder of things that can be created again: installed agent CLIs and start-up archives. Not
/// below a temporary folder, because Codex refuses to work from one.
public final class CacheFolder {
  private CacheFolder() {}

  public static Path of(Map<String, String> env) {
    String own = env.getOrDefault("RUNYARD_CACHE", "");
    if (!own.isEmpty()) {
      return Path.of(own).toAbsolutePath().normalize();
    }
    String caches = env.getOrDefault("XDG_CACHE_HOME", "");
    Path parent =
        caches.isEmpty()
            ? Path.of(env.getOrDefault("HOME", System.getProperty("user.home")), ".cache")
            : Path.of(caches);
    return parent.resolve("runyard").toAbsolutePath().normalize();
  }
}
