package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.functions.Twins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The protocol's public client, at one pinned version, against both functions with the twins, with
/// an agent in this process that echoes, fails, asks or holds as its prompt says. Needs Node.js
/// with npm and its registry.
final class PublicClientTest {
  private static final Path SCRIPTS = Path.of("src", "test", "resources", "acp");
  private static final Path INSTALLED = Path.of("target", "acp-client");

  private static final List<String> SCENARIOS =
      List.of("discovery", "sync", "async", "stream", "leaving", "failing", "awaiting", "sessions");

  @Test
  void playsEveryScenario() throws Exception {
    install();
    try (AcpStack stack = new AcpStack(new Twins())) {
      List<String> command =
          new ArrayList<>(List.of("node", "drive.cjs", stack.url(), "echo", "echo", "echo"));
      command.addAll(SCENARIOS);

      assertEquals(
          SCENARIOS.stream().map(name -> "passed " + name).toList(),
          run(command.toArray(String[]::new)));
    }
  }

  private static void install() throws IOException, InterruptedException {
    Files.createDirectories(INSTALLED);
    for (String file : List.of("package.json", "package-lock.json", "drive.cjs")) {
      Files.copy(
          SCRIPTS.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
  }

  private static List<String> run(String... command) throws IOException, InterruptedException {
    Path errors = Files.createTempFile(INSTALLED, "errors", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(INSTALLED.toFile())
            .redirectError(errors.toFile())
            .start();
    List<String> lines = new ArrayList<>();
    try (var output = process.inputReader()) {
      output.lines().forEach(lines::add);
    }
    assertEquals(0, process.waitFor(), () -> lines + "\n" + text(errors));
    return lines;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
