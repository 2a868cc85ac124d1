package dev.runyard.runner;

import dev.runyard.core.agent.AgentSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The programs of agents that are on this machine: those that the agents file names, those of the
/// known CLIs that are on the search path, and what runs most of them. Whoever is to start agents
/// must reach them; what else is on the search path, such as a person's scripts, need not be
/// reached.
public final class AgentPrograms {
  /// What the programs of the known CLIs are called.
  public static final List<String> COMMANDS =
      List.of(
          "claude",
          "claude-agent-acp",
          "codex",
          "codex-acp",
          "copilot",
          "gemini",
          "opencode",
          "pi",
          "qwen");

  private static final String INTERPRETER = "node";

  private AgentPrograms() {}

  /// @param path the search path
  /// @param document the agents file
  static List<Path> of(String path, String document) {
    List<Path> folders =
        Stream.of(path.split(":")).filter(entry -> entry.startsWith("/")).map(Path::of).toList();
    return Stream.of(
            AgentSettings.programs(document).stream(), COMMANDS.stream(), Stream.of(INTERPRETER))
        .flatMap(names -> names)
        .flatMap(name -> find(name, folders).stream())
        .distinct()
        .toList();
  }

  private static Optional<Path> find(String name, List<Path> folders) {
    Stream<Path> candidates =
        name.contains("/")
            ? Stream.of(Path.of(name).toAbsolutePath())
            : folders.stream().map(folder -> folder.resolve(name));
    return candidates
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
