package dev.runyard.local.emulator;

import dev.runyard.local.template.TaskDeclaration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A task definition that is ready to run: its container's variables with every address filled in.
///
/// @param roleArns the roles that are passed on to the task by its start
public record TaskTemplate(
    TaskDeclaration declaration, Map<String, String> environment, List<String> roleArns) {

  public TaskTemplate {
    environment = Map.copyOf(environment);
    roleArns = List.copyOf(roleArns);
  }

  /// The variables of one task. A value that is the path of a mounted volume becomes that volume's
  /// folder here.
  public Map<String, String> environment(Path volumes, Map<String, String> overrides) {
    Map<String, String> variables = new HashMap<>(environment);
    variables.putAll(overrides);
    variables.replaceAll(
        (name, value) -> {
          String volume = declaration.mounts().get(value);
          return volume == null ? value : volumes.resolve(volume).toString();
        });
    return variables;
  }

  boolean isNamed(String taskDefinition) {
    return taskDefinition.equals(declaration.arn())
        || taskDefinition.equals(declaration.family())
        || taskDefinition.equals(declaration.family() + ":1");
  }
}
