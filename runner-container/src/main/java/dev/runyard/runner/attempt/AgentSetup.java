package dev.runyard.runner.attempt;

import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.runner.RunnerLog;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.paused.PausedWorkspaces;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.session.SessionSnapshots;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// What all agents of a runner share: settings, folders and the variables they may see.
///
/// @param work holds `workspaces/` and `homes/`
/// @param runnerEnv the runner's own variables; agents see only the few of [#AGENT_VARIABLES]
/// @param keepWorkspaces leaves workspaces and homes in place for whoever wants to look at them
/// @param sessions what was said in sessions before
/// @param states what agents remember of sessions
/// @param paused what agents worked on that wait for a person
/// @param artifacts where outputs are kept that no event has room for
public record AgentSetup(
    AgentSettings settings,
    Path work,
    Map<String, String> runnerEnv,
    boolean keepWorkspaces,
    ProcessLauncher processes,
    InstantSource clock,
    RunnerLog log,
    BackendContext.Sessions sessions,
    SessionSnapshots states,
    PausedWorkspaces paused,
    ArtifactStore artifacts) {
  /// An allow list: everything else of the runner's environment stays with the runner.
  static final Set<String> AGENT_VARIABLES =
      Set.of(
          "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "USER", "LOGNAME", "SHELL");

  public AgentSetup {
    runnerEnv = Map.copyOf(runnerEnv);
  }

  Path workspaces() {
    return work.resolve("workspaces");
  }

  Path homes() {
    return work.resolve("homes");
  }

  /// @param pausable whether the files the agent works on can be kept
  BackendContext context(AgentKind kind, Path home, EventShaper telling, boolean pausable) {
    AgentSettings.Agent agent = settings.of(kind);
    Map<String, String> base = new TreeMap<>(runnerEnv);
    base.keySet().retainAll(AGENT_VARIABLES);
    String keyName = agent.apiKeyEnv();
    return new BackendContext(
        agent,
        processes,
        base,
        keyName == null ? Optional.empty() : Optional.ofNullable(runnerEnv.get(keyName)),
        home,
        clock,
        sessions,
        telling,
        pausable);
  }
}
