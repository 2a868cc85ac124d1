package dev.runyard.local;

import dev.runyard.aws.Settings;
import dev.runyard.runner.attempt.AgentEnvironment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The variables of tasks.
public final class TaskVariables {
  private TaskVariables() {}

  /// What tasks inherit: this process's variables without those that would give access to an AWS
  /// account, and the home whose logins agents without a key use: that of the person who starts the
  /// stack, unless another is named. They are told what agents must not read: what opens the stack,
  /// what it keeps, and the operator's documents with keys.
  public static Map<String, String> inherited(Map<String, String> own, LocalOptions options) {
    Map<String, String> variables = new HashMap<>(own);
    variables.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("RUNYARD_"));
    String logins = own.getOrDefault(AgentEnvironment.LOGINS, own.getOrDefault("HOME", ""));
    if (!logins.isEmpty()) {
      variables.put(AgentEnvironment.LOGINS, logins);
    }
    variables.put(
        Settings.HIDDEN,
        hidden(options)
            .map(path -> path.toAbsolutePath().normalize().toString())
            .collect(Collectors.joining("\n")));
    return variables;
  }

  private static Stream<Path> hidden(LocalOptions options) {
    return Stream.of(
            options.tokens().stream(),
            options.secrets().stream(),
            options.agents().stream(),
            DataFolder.kept(options.data().orElse(options.workDir())),
            options.hidden().stream())
        .flatMap(paths -> paths);
  }
}
