package dev.runyard.bench.stack;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.runner.backend.codex.CodexCommand;
import dev.runyard.runner.backend.codex.CodexHome;
import dev.runyard.runner.backend.codex.CodexOptions;
import dev.runyard.runner.backend.codex.CodexRun;
import dev.runyard.runner.backend.codex.CodexSettings;
import dev.runyard.runner.backend.codex.CodexThread;
import dev.runyard.runner.process.AgentCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Codex started as the runner starts it, with nothing around it: the same arguments, variables and
/// configuration, and a home and working directory of its own each time, made before it is timed.
public final class BareCodex {
  private final CodexSettings settings;
  private final Path folder;

  /// Codex as the agents file says.
  public BareCodex(Path agents, Path folder) throws IOException {
    AgentSettings.Agent agent =
        AgentSettings.parse(Files.readString(agents), AgentCatalog.builtIn())
            .of(AgentCatalog.CODEX);
    this.folder = folder;
    this.settings =
        new CodexSettings(
            Objects.requireNonNull(agent.program()),
            agent.args(),
            agent.env(),
            Optional.ofNullable(agent.endpoint()).map(URI::create),
            Objects.requireNonNull(agent.apiKeyEnv()),
            Optional.ofNullable(agent.model()));
  }

  /// Milliseconds from its start to its exit, all output read.
  public double millis(String prompt) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(folder, "bare-");
    CodexHome home = CodexHome.prepare(work.resolve("home"), settings);
    Path workingDir = Files.createDirectory(work.resolve("workspace"));
    CodexRun run =
        new CodexRun(
            CodexOptions.of(Map.of(), workingDir),
            new CodexThread.Fresh(),
            prompt,
            workingDir,
            Map.of());
    AgentCommand command =
        CodexCommand.of(
            settings, home, run, Map.of("PATH", System.getenv().getOrDefault("PATH", "")));
    ProcessBuilder builder =
        new ProcessBuilder(command.argv())
            .directory(workingDir.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    long begin = System.nanoTime();
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(prompt.getBytes(StandardCharsets.UTF_8));
    }
    process.getInputStream().readAllBytes();
    if (process.waitFor() != 0) {
      throw new IOException("codex exited with " + process.exitValue());
    }
    return (System.nanoTime() - begin) / 1e6;
  }
}
