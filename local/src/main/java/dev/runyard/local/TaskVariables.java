package dev.runyard.local;

import dev.runyard.runner.attempt.AgentEnvironment;
import java.util.HashMap;
import java.util.Map;

/// The variables of tasks.
public final class TaskVariables {
  private TaskVariables() {}

  /// What tasks inherit: this process's variables without those that would give access to an AWS
  /// account, and the home whose logins agents without a key use: that of the person who starts the
  /// stack, unless another is named.
  public static Map<String, String> inherited(Map<String, String> own) {
    Map<String, String> variables = new HashMap<>(own);
    variables.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("RUNYARD_"));
    String logins = own.getOrDefault(AgentEnvironment.LOGINS, own.getOrDefault("HOME", ""));
    if (!logins.isEmpty()) {
      variables.put(AgentEnvironment.LOGINS, logins);
    }
    return variables;
  }
}
