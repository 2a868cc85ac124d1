package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.testkit.threads.TestPatience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// A runner's process that was started and ended by itself.
record ExitedRunner(int status, String printed) {
  /// Starts one with these settings and no others.
  static ExitedRunner of(Map<String, String> settings) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                .toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName());
    builder.environment().keySet().removeIf(name -> name.startsWith("RUNYARD_"));
    builder.environment().putAll(settings);
    Process process = builder.redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(TestPatience.LONG.toSeconds(), TimeUnit.SECONDS));
      return new ExitedRunner(process.exitValue(), printed);
    } finally {
      process.destroyForcibly();
    }
  }
}
