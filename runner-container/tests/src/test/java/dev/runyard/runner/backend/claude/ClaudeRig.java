package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.AgentSurroundings;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.backend.FileKeeping;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.Talking;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Starts programs in place of Claude Code, and leaves none of them behind.
final class ClaudeRig implements AutoCloseable {
  static final String KEY = "sk-test-0001";
  static final Map<String, JsonNode> ASKED =
      Map.of(Capabilities.NON_INTERACTIVE, JsonNodeFactory.instance.booleanNode(false));

  private final List<AgentRun> started = new ArrayList<>();
  private final Path directory;
  private final Path workspace;
  private final Optional<FileKeeping> files;

  ClaudeRig(Path directory, Optional<FileKeeping> files) throws IOException {
    this.directory = directory;
    this.workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
    this.files = files;
  }

  Path directory() {
    return directory;
  }

  Path workspace() {
    return workspace;
  }

  Path home() {
    return directory.resolve("home");
  }

  @Override
  public void close() {
    started.forEach(AgentRun::stop);
  }

  /// A conversation of Claude Code in a folder of that name, with these texts.
  void conversation(String folder, String session, String words) throws IOException {
    Path projects = home().resolve(new ClaudeBackend().sessionState().getFirst());
    Files.writeString(
        Files.createDirectories(projects.resolve(folder)).resolve(session + ".jsonl"), words);
  }

  AgentRunRequest request(String prompt, Map<String, JsonNode> extensions) {
    return Requests.request(
        "claude_code", prompt, extensions, workspace, workspace, Map.of("WISH", "of the caller"));
  }

  Talking start(FakeClaude claude, String prompt, Map<String, JsonNode> extensions) {
    return start(request(prompt, extensions), claude);
  }

  Talking start(AgentRunRequest request, FakeClaude claude) {
    return start(request, claude.program().toString());
  }

  Talking start(AgentRunRequest request, String program) {
    AgentSettings.Agent settings =
        new AgentSettings.Agent(
            program,
            List.of("--verbose"),
            Map.of("SETTING", "of the operator"),
            "http://127.0.0.1:8080/v1",
            null,
            "MODEL_KEY");
    AgentRun run = new ClaudeBackend().start(request, context(settings));
    started.add(run);
    return new Talking(run);
  }

  private BackendContext context(AgentSettings.Agent settings) {
    return new BackendContext(
        settings,
        ProcessLauncher.onThisMachine(),
        InstantSource.system(),
        new AgentSurroundings(
            Map.of("PATH", "/usr/bin:/bin", "HOME", "/home/nobody"), Optional.of(KEY), home()),
        BackendContext.Sessions.NONE,
        new BackendContext.Output(EventShaper.bare(), files));
  }
}
