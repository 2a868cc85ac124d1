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
/// @param baseEnv the runner's variables an agent may see: nothing that names or opens the runner's
///   account
/// @param apiKey the key of the agent's model provider, from the variable the operator named
/// @param home where the agent of this run keeps its own files, not under the system's temporary
///   directory; removed after the run
/// @param sessions what was said in sessions before
/// @param telling what is made of the events of this run
/// @param files keeps the files the agent works on while it is paused; empty where they cannot be
public record BackendContext(
    AgentSettings.Agent settings,
    ProcessLauncher processes,
    Map<String, String> baseEnv,
    Optional<String> apiKey,
    Path home,
    InstantSource clock,
    Sessions sessions,
    EventShaper telling,
    Optional<FileKeeping> files) {
  /// Where an agent that waits holds its place and no output is kept.
  public BackendContext(
      AgentSettings.Agent settings,
      ProcessLauncher processes,
      Map<String, String> baseEnv,
      Optional<String> apiKey,
      Path home,
      InstantSource clock,
      Sessions sessions) {
    this(
        settings,
        processes,
        baseEnv,
        apiKey,
        home,
        clock,
        sessions,
        EventShaper.bare(),
        Optional.empty());
  }

  public BackendContext {
    baseEnv = Map.copyOf(baseEnv);
  }

  /// What was said in a session's completed runs.
  @FunctionalInterface
  public interface Sessions {
    Sessions NONE = (_, _) -> List.of();

    /// The messages, oldest first.
    List<Message> said(String tenant, String sessionId);
  }
}
