package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The directories a request adds to its working directory. Paths are made absolute and normal as
/// text; neither `~` nor variables are expanded.
public final class AddedDirs {
  private AddedDirs() {}

  /// The directories, each once, in the order they were named.
  public static List<Path> of(Map<String, JsonNode> extensions, Path workingDir) {
    return named(extensions, workingDir).stream().distinct().toList();
  }

  /// True if all of them are in the workspace. Files elsewhere are not stored when a run moves.
  public static boolean within(Map<String, JsonNode> extensions, Path workingDir, Path workspace) {
    try {
      return named(extensions, workingDir).stream().allMatch(dir -> dir.startsWith(workspace));
    } catch (InvalidPathException _) {
      return false;
    }
  }

  /// What is wrong with them on this machine; no message repeats a path.
  static Optional<Problem> problem(Map<String, JsonNode> extensions, Path workingDir) {
    List<Path> dirs;
    try {
      dirs = named(extensions, workingDir);
    } catch (InvalidPathException _) {
      return Optional.of(problem(Capabilities.ADD_DIRS + ".dirs"));
    }
    for (int i = 0; i < dirs.size(); i++) {
      if (!Files.isDirectory(dirs.get(i))) {
        return Optional.of(problem("%s.dirs[%d]".formatted(Capabilities.ADD_DIRS, i)));
      }
    }
    return Optional.empty();
  }

  private static Problem problem(String what) {
    return Problem.at(
        ProblemCode.INVALID_REQUEST,
        Pointer.of("extensions", Capabilities.ADD_DIRS),
        "invalid " + what);
  }

  private static List<Path> named(Map<String, JsonNode> extensions, Path workingDir) {
    List<Path> dirs = new ArrayList<>();
    JsonNode value = extensions.get(Capabilities.ADD_DIRS);
    if (value != null) {
      value
          .path("dirs")
          .forEach(dir -> dirs.add(workingDir.resolve(dir.asText().strip()).normalize()));
    }
    return dirs;
  }
}
