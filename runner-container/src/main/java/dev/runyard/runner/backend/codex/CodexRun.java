package dev.runyard.runner.backend.codex;

import java.nio.file.Path;
import java.util.Map;

/// One run as Codex is started for it.
///
/// @param thread not a missing one: such a run fails before it is started
/// @param environment the request's own variables
public record CodexRun(
    CodexOptions options,
    CodexThread thread,
    String prompt,
    Path workingDir,
    Map<String, String> environment) {

  public CodexRun {
    environment = Map.copyOf(environment);
    if (thread instanceof CodexThread.Missing) {
      throw new IllegalArgumentException("there is no thread to resume");
    }
  }
}
