package dev.runyard.local;

import java.util.HashMap;
import java.util.Map;

/// The variables of tasks.
public final class TaskVariables {
  private TaskVariables() {}

  /// What tasks inherit: this process's variables without those that would give access to an AWS
  /// account.
  public static Map<String, String> inherited(Map<String, String> own) {
    Map<String, String> variables = new HashMap<>(own);
    variables.keySet().removeIf(name -> name.startsWith("AWS_") || name.startsWith("RUNYARD_"));
    return variables;
  }
}
