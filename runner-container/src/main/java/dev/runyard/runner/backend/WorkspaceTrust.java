package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps a workspace from configuring its agent, because whoever wrote its files is not the
/// operator: settings in it could name another endpoint, run hooks or permit everything. Most CLIs
/// are told to ignore such files; where that is impossible, the agent is not started beside them.
public final class WorkspaceTrust {
  /// Makes git run nothing that a repository's own configuration names: no monitor of its files, no
  /// hooks. Tools of the agent inherit it.
  private static final Map<String, String> GIT =
      Map.of("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=false' 'core.hooksPath=/dev/null'");

  private WorkspaceTrust() {}

  /// Variables for an agent, unless the operator trusts its workspaces.
  public static Map<String, String> variables(Grants grants) {
    return grants.trustWorkspace() ? Map.of() : GIT;
  }

  /// Arguments for an agent that make it ignore its workspace's settings, unless the operator
  /// trusts them.
  public static List<String> arguments(Grants grants, String... ignoring) {
    return grants.trustWorkspace() ? List.of() : List.of(ignoring);
  }

  /// Why an agent must not be started: its workspace has settings that it cannot ignore.
  static Optional<Problem> problem(AgentRunRequest request, Grants grants) {
    if (grants.trustWorkspace()) {
      return Optional.empty();
    }
    List<String> settings =
        AgentCli.find(request.kind()).map(AgentCli.Agent::workspaceSettings).orElse(List.of());
    for (Path folder = request.workingDir();
        folder != null && folder.startsWith(request.workspace());
        folder = folder.getParent()) {
      Path at = folder;
      Optional<String> found =
          settings.stream()
              .filter(name -> Files.exists(at.resolve(name), LinkOption.NOFOLLOW_LINKS))
              .findFirst();
      if (found.isPresent()) {
        return found.map(name -> Problem.of(ProblemCode.INVALID_REQUEST, refusal(name)));
      }
    }
    return Optional.empty();
  }

  private static String refusal(String name) {
    return ("The workspace has %s, which would configure the agent. Remove it, or let the operator"
            + " set %s in the agents file")
        .formatted(name, Grants.TRUST_WORKSPACE);
  }
}
