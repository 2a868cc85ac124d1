package dev.runyard.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How to start a local stack.
///
/// @param port of the API on 127.0.0.1; 0 takes a free one
/// @param data folder of tables, queues and stream positions; in memory when empty
/// @param endpoint another emulator for the tables and queues instead of the embedded ones
/// @param agents the agents document, a JSON file
/// @param parameters values of template parameters; they override the local defaults
/// @param template the SAM template
/// @param workDir the runners' workspaces and logs
/// @param tokens folder in which the stack leaves its access token; without one it takes requests
///   of anybody on this machine
/// @param secrets what Secrets Manager and SSM keep, a file that [SecretsFile] reads
/// @param hidden what else agents must not read although their user may
public record LocalOptions(
    int port,
    Optional<Path> data,
    Optional<URI> endpoint,
    Optional<Path> agents,
    Map<String, String> parameters,
    Path template,
    Path workDir,
    Optional<Path> tokens,
    Optional<Path> secrets,
    List<Path> hidden) {

  public LocalOptions {
    parameters = Map.copyOf(parameters);
    hidden = List.copyOf(hidden);
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    if (data.isPresent() && endpoint.isPresent()) {
      throw new IllegalArgumentException("a data folder needs the embedded tables and queues");
    }
  }

  /// With nothing more to hide than what the stack keeps.
  public LocalOptions(
      int port,
      Optional<Path> data,
      Optional<URI> endpoint,
      Optional<Path> agents,
      Map<String, String> parameters,
      Path template,
      Path workDir,
      Optional<Path> tokens,
      Optional<Path> secrets) {
    this(port, data, endpoint, agents, parameters, template, workDir, tokens, secrets, List.of());
  }

  /// A stack in memory on a free port, with its access token in the work folder.
  public static LocalOptions of(Path template, Path workDir) {
    return new LocalOptions(
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        template,
        workDir,
        Optional.of(workDir.resolve("tokens")),
        Optional.empty());
  }

  public LocalOptions withPort(int newPort) {
    return new LocalOptions(
        newPort, data, endpoint, agents, parameters, template, workDir, tokens, secrets, hidden);
  }

  public LocalOptions withData(Path folder) {
    return new LocalOptions(
        port,
        Optional.of(folder),
        endpoint,
        agents,
        parameters,
        template,
        workDir,
        tokens,
        secrets,
        hidden);
  }

  public LocalOptions withEndpoint(URI emulator) {
    return new LocalOptions(
        port,
        data,
        Optional.of(emulator),
        agents,
        parameters,
        template,
        workDir,
        tokens,
        secrets,
        hidden);
  }

  public LocalOptions withAgents(Path document) {
    return new LocalOptions(
        port,
        data,
        endpoint,
        Optional.of(document),
        parameters,
        template,
        workDir,
        tokens,
        secrets,
        hidden);
  }

  /// Sets one more template parameter.
  public LocalOptions withParameter(String name, String value) {
    Map<String, String> more = new HashMap<>(parameters);
    more.put(name, value);
    return new LocalOptions(
        port, data, endpoint, agents, more, template, workDir, tokens, secrets, hidden);
  }

  public LocalOptions withSecrets(Path file) {
    return new LocalOptions(
        port,
        data,
        endpoint,
        agents,
        parameters,
        template,
        workDir,
        tokens,
        Optional.of(file),
        hidden);
  }

  /// Takes requests of anybody on this machine.
  public LocalOptions withoutToken() {
    return new LocalOptions(
        port,
        data,
        endpoint,
        agents,
        parameters,
        template,
        workDir,
        Optional.empty(),
        secrets,
        hidden);
  }
}
