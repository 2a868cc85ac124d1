package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Agent Communication Protocol's public client, at one pinned version, against a stack with
/// the agents that protocol's tests expect, with a key of its own. Needs Node.js with npm and its
/// registry.
final class AcpClientIT {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
  private static final Path SCRIPTS = HOME.resolve("functions/src/test/resources/acp");
  private static final List<String> SCENARIOS =
      List.of(
          "discovery",
          "sync",
          "async",
          "stream",
          "leaving",
          "failing",
          "awaiting",
          "sessions",
          "history");

  /// Its key opens what the protocol needs and no more.
  private static final String SCOPES = "runs:read,runs:write,actions:decide,agents:read";

  @TempDir private Path folder;

  @Test
  void playsEveryScenario() throws Exception {
    Path installed = HOME.resolve("cli/target/acp-client");
    Files.createDirectories(installed);
    for (String file : List.of("package.json", "package-lock.json", "drive.cjs")) {
      Files.copy(
          SCRIPTS.resolve(file), installed.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    run(
        installed,
        "",
        List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"));
    try (SystemStack stack =
        SystemStack.start(
            StackFolder.in(folder),
            "--access",
            "keys",
            "--agent-jars",
            HOME.resolve("demo-agents/target/agents").toString())) {
      stack.mayFailAs("invalid_input");
      String url = stack.api().uri().toString().replaceAll("/$", "");
      List<String> command =
          new ArrayList<>(List.of("node", "drive.cjs", url, "failer", "awaiter", "slow_echo"));
      command.addAll(SCENARIOS);

      assertEquals(
          SCENARIOS.stream().map(name -> "passed " + name).toList(),
          run(installed, stack.api().key(SCOPES), command));
    }
  }

  private List<String> run(Path in, String token, List<String> command)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile(folder, "errors", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(in.toFile()).redirectError(errors.toFile());
    builder.environment().put("ACCESS_TOKEN", token);
    Process process = builder.start();
    List<String> lines = new ArrayList<>();
    try (var output = process.inputReader()) {
      output.lines().forEach(lines::add);
    }
    int status = process.waitFor();
    assertEquals(0, status, lines + "\n" + Files.readString(errors));
    return lines;
  }
}
