package dev.runyard.bench.stack;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.runner.backend.codex.CodexCommand;
import dev.runyard.runner.backend.codex.CodexHome;
import dev.runyard.runner.backend.codex.CodexOptions;
import dev.runyard.runner.backend.codex.CodexRun;
import dev.runyard.runner.backend.codex.CodexSettings;
import dev.runyard.runner.backend.codex.CodexThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// An agent CLI started as a person starts it in a script, with nothing around it: against the same
/// model, with a home and a working directory of its own each time, made before it is timed, and
/// the prompt through standard input.
///
/// @param kind of agent
/// @param settings as the agents file has them
/// @param folder for homes and working directories
public record BareAgent(String kind, AgentSettings.Agent settings, Path folder) {
  private static final String PROVIDER = "endpoint";

  private record Command(List<String> argv, Map<String, String> environment) {}

  /// Milliseconds from its start to its first line and to its exit, all output read.
  public record Timing(double firstMillis, double exitMillis) {}

  public Timing run(String prompt) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(folder, "bare-");
    Path home = Files.createDirectory(work.resolve("home"));
    Path workingDir = Files.createDirectory(work.resolve("workspace"));
    Command command =
        switch (kind) {
          case "codex" -> codex(home, workingDir, prompt);
          case "claude_code" -> claude(home);
          case "pi" -> pi(home);
          case String other -> throw new IllegalArgumentException("no bare command of " + other);
        };
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
    double first;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      first = millisSince(begin);
      while (line != null) {
        line = out.readLine();
      }
    }
    if (process.waitFor() != 0) {
      throw new IOException(kind + " exited with " + process.exitValue());
    }
    return new Timing(first, millisSince(begin));
  }

  private Command codex(Path home, Path workingDir, String prompt) throws IOException {
    CodexSettings codex =
        new CodexSettings(
            program(),
            settings.args(),
            settings.env(),
            Optional.ofNullable(settings.endpoint()).map(URI::create),
            Objects.requireNonNull(settings.apiKeyEnv()),
            Optional.ofNullable(settings.model()));
    CodexRun run =
        new CodexRun(
            CodexOptions.of(Map.of(), workingDir),
            new CodexThread.Fresh(),
            prompt,
            workingDir,
            Map.of());
    var command =
        CodexCommand.of(
            codex, CodexHome.prepare(home, codex, workingDir), run, Map.of("PATH", path()));
    return new Command(command.argv(), command.environment());
  }

  private Command claude(Path home) {
    Map<String, String> env = environment(home);
    env.put("ANTHROPIC_BASE_URL", Objects.requireNonNull(settings.endpoint()));
    env.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    env.put("DISABLE_AUTOUPDATER", "1");
    env.put("IS_SANDBOX", "1");
    return new Command(
        List.of(
            program(),
            "--print",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--dangerously-skip-permissions"),
        env);
  }

  private Command pi(Path home) throws IOException {
    ObjectNode models = JsonMapper.builder().build().createObjectNode();
    models
        .putObject("providers")
        .putObject(PROVIDER)
        .put("baseUrl", settings.endpoint())
        .put("api", "openai-completions")
        .put("apiKey", settings.apiKeyEnv())
        .putArray("models")
        .addObject()
        .put("id", settings.model());
    Path folderOfPi = Files.createDirectories(home.resolve(".pi/agent"));
    Files.writeString(folderOfPi.resolve("models.json"), models.toString());
    Map<String, String> env = environment(home);
    env.putAll(Map.of("PI_OFFLINE", "1", "PI_TELEMETRY", "0"));
    String model = Objects.requireNonNull(settings.model());
    return new Command(
        List.of(program(), "--mode", "json", "--print", "--provider", PROVIDER, "--model", model),
        env);
  }

  private Map<String, String> environment(Path home) {
    Map<String, String> environment = new HashMap<>(settings.env());
    environment.put("PATH", path());
    environment.put("HOME", home.toString());
    return environment;
  }

  private String program() {
    return Objects.requireNonNull(settings.program());
  }

  private static String path() {
    return System.getenv().getOrDefault("PATH", "");
  }

  private static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }
}
