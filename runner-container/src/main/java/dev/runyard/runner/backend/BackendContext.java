package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.message.Message;
import dev.runyard.runner.process.ProcessLauncher;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a backend may use of the runner.
///
/// @param settings the operator's settings of this agent
/// @param sessions what was said in sessions before
/// @param output how what the agent says and keeps leaves the runner
public record BackendContext(
    AgentSettings.Agent settings,
    ProcessLauncher processes,
    InstantSource clock,
    AgentSurroundings surroundings,
    Sessions sessions,
    Output output) {

  /// How what the agent says and keeps leaves the runner.
  ///
  /// @param shaper what is made of the events of this run
  /// @param files keeps the files the agent works on while it is paused; empty where they cannot be
  public record Output(EventShaper shaper, Optional<FileKeeping> files) {
    /// Where an agent that waits holds its place and no output is kept.
    public static final Output BARE = new Output(EventShaper.bare(), Optional.empty());
  }

  public Map<String, String> baseEnv() {
    return surroundings.variables();
  }

  public Optional<String> apiKey() {
    return surroundings.apiKey();
  }

  public Path home() {
    return surroundings.home();
  }

  public EventShaper shaper() {
    return output.shaper();
  }

  public Optional<FileKeeping> files() {
    return output.files();
  }

  /// What was said in a session's completed runs.
  @FunctionalInterface
  public interface Sessions {
    Sessions NONE = (_, _) -> List.of();

    /// The messages, oldest first.
    List<Message> said(String tenant, String sessionId);
  }
}
