package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/dependencies.md against the class path that the build put together for `./runyard`.
final class DependenciesPageIT {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
  private static final Path CLASS_PATH = HOME.resolve("cli/target/lib");
  private static final Pattern FILE = Pattern.compile("(.+?)-\\d.*\\.(?:jar|so|dll|dylib)");
  private static final Pattern ROW = Pattern.compile("\\| `(.+)` \\| `(.+)` \\| (.+) \\|");
  private static final Set<String> LICENCES =
      Set.of(
          "Apache-2.0",
          "BSD-3-Clause",
          "MIT",
          "MIT-0",
          "MPL-2.0",
          "MPL-2.0 or EPL-1.0",
          "EPL-2.0 or Apache-2.0",
          "EPL-2.0 or GPL-2.0 with Classpath exception",
          "DynamoDB Local License Agreement");

  @Test
  void namesWhatTheBuildResolvedAndNothingElse() throws IOException {
    assertEquals(artifacts().keySet(), new TreeSet<>(page().keySet()));
  }

  @Test
  void namesLicencesThatWereLookedAt() throws IOException {
    assertTrue(LICENCES.containsAll(page().values()), "judge the new licence first");
  }

  /// Few jars name their licence; those that do must agree.
  @Test
  void agreesWithTheJarsThatSayTheirLicence() throws IOException {
    Map<String, String> page = page();
    int said = 0;
    for (Map.Entry<String, Path> artifact : artifacts().entrySet()) {
      String stated = stated(artifact.getValue()).toLowerCase(Locale.ROOT);
      boolean apache = stated.contains("apache");
      boolean mit = stated.contains("mit");
      if (apache || mit) {
        String licence = String.valueOf(page.get(artifact.getKey()));
        assertTrue(licence.contains(apache ? "Apache-2.0" : "MIT"), artifact::toString);
        said++;
      }
    }
    assertTrue(said > 0);
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

  /// The files on the class path by their artifact, without our own.
  private static Map<String, Path> artifacts() throws IOException {
    Map<String, Path> artifacts = new TreeMap<>();
    try (Stream<Path> files = Files.list(CLASS_PATH)) {
      for (Path file : files.toList()) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        assertTrue(name.matches(), file::toString);
        if (!name.group(1).startsWith("runyard-")) {
          artifacts.merge(name.group(1), file, (one, _) -> one);
        }
      }
    }
    return artifacts;
  }

  private static Map<String, String> page() throws IOException {
    List<String> lines = Files.readAllLines(HOME.resolve("docs/dependencies.md"));
    Map<String, String> licences = new TreeMap<>();
    for (String line : lines) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        licences.merge(row.group(1), row.group(3), (one, _) -> one);
      }
    }
    return licences;
  }
}
