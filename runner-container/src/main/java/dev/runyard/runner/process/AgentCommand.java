package dev.runyard.runner.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What to start: arguments for the kernel, never for a shell.
///
/// `argv` starts with the program: an absolute path, or a name that is looked up in the `PATH` of
/// `environment`. `environment` is complete: only marks are added to it. One argument or variable
/// has at most 131,071 bytes on Linux; longer text goes through `stdin`.
public record AgentCommand(
    List<String> argv, Path workingDir, Map<String, String> environment, Stdin stdin) {

  public AgentCommand {
    argv = List.copyOf(argv);
    environment = Map.copyOf(environment);
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      throw new IllegalArgumentException("argv names no program");
    }
    if (argv.stream().anyMatch(AgentCommand::holdsNul)
        || environment.values().stream().anyMatch(AgentCommand::holdsNul)) {
      throw new IllegalArgumentException("an argument or variable holds a NUL character");
    }
    for (String name : environment.keySet()) {
      if (name.isEmpty() || name.indexOf('=') >= 0 || holdsNul(name)) {
        throw new IllegalArgumentException("not the name of a variable: " + name);
      }
    }
    for (String own : List.of(RunMark.VARIABLE, RunMark.STACK_VARIABLE)) {
      if (environment.containsKey(own)) {
        throw new IllegalArgumentException(own + " is set by the runner only");
      }
    }
  }

  private static boolean holdsNul(String text) {
    return text.indexOf('\0') >= 0;
  }

  /// Only the program and sizes: arguments and variables may contain prompts and secrets.
  @Override
  public String toString() {
    return "AgentCommand[%s, %d arguments, %d variables]"
        .formatted(argv.getFirst(), argv.size() - 1, environment.size());
  }
}
