package dev.runyard.local;

import dev.runyard.aws.Settings;
import dev.runyard.core.secret.SecretSource;
import java.util.HashMap;
import java.util.Map;

/// Variables of this process that are secrets of hooks, for the functions that read the agents
/// document: in a process of their own on AWS they would have no others than the template's.
final class HookVariables {
  private HookVariables() {}

  /// A function's variables, with those that its agents document lists for hooks.
  ///
  /// @param own the variables of this process
  static Map<String, String> added(Map<String, String> function, Map<String, String> own) {
    Map<String, String> all = new HashMap<>(function);
    for (SecretSource source :
        LocalParameters.hookSecrets(function.getOrDefault(Settings.AGENTS, ""))) {
      if (source instanceof SecretSource.Variable(String name) && own.containsKey(name)) {
        all.putIfAbsent(name, own.getOrDefault(name, ""));
      }
    }
    return Map.copyOf(all);
  }
}
