package dev.runyard.runner.backend.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.event.EventCodec;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// What an agent is started with, as request and operator say. Its home is the run's own: whatever
/// it writes there does not touch the files of the runner's user.
record AcpLaunch(AgentRunRequest request, BackendContext context) {
  private static final String TEMPORARY = "tmp";
  private static final String VERSION_PATH = "/v1";

  /// The program the operator named, or one found by name.
  String program(String byDefault) {
    return Objects.requireNonNullElse(context.settings().program(), byDefault);
  }

  /// The model of the request, or else of the operator.
  Optional<String> model() {
    return Optional.ofNullable(request.extensions().get(Capabilities.MODEL))
        .map(value -> value.asText("").strip())
        .or(() -> Optional.ofNullable(context.settings().model()));
  }

  Optional<String> endpoint() {
    return Optional.ofNullable(context.settings().endpoint());
  }

  /// The endpoint for agents that add the version to the address themselves.
  Optional<String> bareEndpoint() {
    return endpoint()
        .map(url -> url.endsWith("/") ? url.substring(0, url.length() - 1) : url)
        .map(
            url ->
                url.endsWith(VERSION_PATH)
                    ? url.substring(0, url.length() - VERSION_PATH.length())
                    : url);
  }

  AcpPermissions permissions() {
    return AcpPermissions.of(request);
  }

  /// The key of the model provider, from the runner's variables or else the agents file.
  Optional<String> key() {
    String name = context.settings().apiKeyEnv();
    return context.apiKey().or(() -> Optional.ofNullable(name).map(context.settings().env()::get));
  }

  /// The variable the operator says holds the key.
  String keyName(String byDefault) {
    return Objects.requireNonNullElse(context.settings().apiKeyEnv(), byDefault);
  }

  /// The whole environment of the process. The agent's own variables give way to the operator's,
  /// those to the request's; the home is nobody's to change.
  ///
  /// @param keyName the variable the agent looks for the key in
  Map<String, String> environment(String keyName, Map<String, String> own) {
    Map<String, String> environment = new TreeMap<>(context.baseEnv());
    environment.putAll(own);
    environment.putAll(context.settings().env());
    key().ifPresent(key -> environment.put(keyName, key));
    environment.putAll(request.env());
    environment.put("HOME", home().toString());
    environment.put("TMPDIR", home().resolve(TEMPORARY).toString());
    return environment;
  }

  Path home() {
    return context.home();
  }

  /// Makes the folders every home has.
  void prepare() throws IOException {
    Files.createDirectories(home().resolve(TEMPORARY));
  }

  /// Writes a configuration file below the home. Never holds a secret: keys are variables.
  void write(String file, JsonNode content) throws IOException {
    Path path = home().resolve(file);
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    Files.write(path, EventCodec.JSON.writeValueAsBytes(content));
  }

  /// Lets the agent use the login of the runner's user where the operator named neither endpoint
  /// nor key. True where there is one.
  boolean useLogin(String... files) throws IOException {
    String user = context.baseEnv().get("HOME");
    boolean found = false;
    if (user == null || endpoint().isPresent() || key().isPresent()) {
      return false;
    }
    for (String file : List.of(files)) {
      Path login = Path.of(user, file);
      Path link = home().resolve(file);
      if (Files.isReadable(login) && !Files.exists(link)) {
        Files.createDirectories(Objects.requireNonNull(link.getParent()));
        Files.createSymbolicLink(link, login);
        found = true;
      }
    }
    return found;
  }
}
