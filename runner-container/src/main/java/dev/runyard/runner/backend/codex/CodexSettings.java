package dev.runyard.runner.backend.codex;

import dev.runyard.core.agent.Grants;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The settings of a Codex agent, the same for all of its runs.
///
/// @param program the absolute path of the native program, or a name to look up in `PATH`. Not the
///   launcher script of the npm package: when that is killed, the program keeps running
/// @param arguments placed between the program and `exec`
/// @param environment for Codex and for the commands it runs; may contain secrets
/// @param baseUrl of a provider that speaks the Responses API; empty for the one built into Codex,
///   which takes its key from `CODEX_API_KEY`
/// @param keyVariable the variable of `environment` that holds the provider's key, hidden from the
///   commands Codex runs
/// @param model used when a run names none; empty for the provider's or Codex's own choice
/// @param grants what requests and workspaces may do
public record CodexSettings(
    String program,
    List<String> arguments,
    Map<String, String> environment,
    Optional<URI> baseUrl,
    String keyVariable,
    Optional<String> model,
    Grants grants) {

  /// Settings that grant nothing.
  public CodexSettings(
      String program,
      List<String> arguments,
      Map<String, String> environment,
      Optional<URI> baseUrl,
      String keyVariable,
      Optional<String> model) {
    this(program, arguments, environment, baseUrl, keyVariable, model, Grants.NONE);
  }

  public CodexSettings {
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }
}
