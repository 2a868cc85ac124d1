package dev.runyard.runner.isolation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The variables of a process, which it gets only once it has no more rights than an agent. Some of
/// them have what loads a program load other code (`ld.so(8)`), and programs that still have the
/// runner's rights come before the agent's.
///
/// Until then each variable is the value of another name, which nothing obeys. None is an argument:
/// those can be read by every user.
///
/// @param env of coreutils, gives them their names and becomes the rest
public record LateVariables(Path env) {
  private static final String NAME = "RUNYARD_LATE_";

  /// The arguments that stand between the programs with more rights and the agent's.
  public List<String> arguments(int variables) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < variables; i++) {
      words.add("-u " + NAME + i);
    }
    words.add("--");
    for (int i = 0; i < variables; i++) {
      words.add("${" + NAME + i + "}");
    }
    return List.of(env.toString(), "--split-string=" + String.join(" ", words));
  }

  /// What the programs with more rights have in their environment.
  public Map<String, String> renamed(Map<String, String> variables) {
    Map<String, String> renamed = new TreeMap<>();
    variables.forEach((name, value) -> renamed.put(NAME + renamed.size(), name + "=" + value));
    return renamed;
  }
}
