package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/dependencies.md against the class path that the build put together for `./runyard`.
final class DependenciesPageIT {
  private static final Path CLASS_PATH = Repository.HOME.resolve("cli/target/lib");
  private static final Pattern FILE = Pattern.compile("(.+?)-\\d.*\\.(?:jar|so|dll|dylib)");

  @Test
  void namesWhatTheBuildResolvedWithItsLicence() throws IOException {
    Map<String, String> resolved = resolved();
    assertTrue(resolved.values().stream().anyMatch(stated -> !stated.isEmpty()), "none says any");
    assertEquals(List.of(), DependenciesPage.of(Repository.OURS).faults(resolved));
  }

  /// The artifacts on the class path, without our own, and the licence each says it has.
  private static Map<String, String> resolved() throws IOException {
    Map<String, String> resolved = new TreeMap<>();
    try (Stream<Path> files = Files.list(CLASS_PATH)) {
      for (Path file : files.toList()) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        assertTrue(name.matches(), file::toString);
        if (!name.group(1).startsWith("runyard-")) {
          resolved.merge(name.group(1), stated(file), (one, _) -> one);
        }
      }
    }
    return resolved;
  }

  private static String stated(Path file) throws IOException {
    if (!file.toString().endsWith(".jar")) {
      return "";
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      String licence =
          manifest == null ? null : manifest.getMainAttributes().getValue("Bundle-License");
      return Objects.requireNonNullElse(licence, "");
    }
  }
}
