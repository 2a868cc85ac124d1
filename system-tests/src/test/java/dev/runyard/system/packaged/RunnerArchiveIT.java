package dev.runyard.system.packaged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The archive of classes with which the runner's image starts runners.
final class RunnerArchiveIT {
  private static final Path RUNNER =
      Path.of(System.getProperty("runyard.home"), "runner-container");
  private static final String JAR = RUNNER.resolve("target/runner.jar").toString();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path folder;

  @Test
  void aRunnerTakesItsClassesFromTheArchive() throws IOException, InterruptedException {
    String archive = folder.resolve("runner.jsa").toString();
    String script = RUNNER.resolve("rehearse.sh").toString();

    assertEquals("", said(new ProcessBuilder(script, JAR, archive)));

    String loaded =
        said(
            new ProcessBuilder(
                JAVA, "-XX:SharedArchiveFile=" + archive, "-Xlog:class+load", "-jar", JAR));
    assertTrue(
        loaded.contains("dev.runyard.runner.Wiring source: shared objects file (top)"), loaded);
  }

  /// Everything it prints, until it ends.
  private static String said(ProcessBuilder builder) throws IOException, InterruptedException {
    builder.environment().put("JAVA", JAVA);
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
