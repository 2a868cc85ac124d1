package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.message.Message;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// What a backend may use of the runner.
///
/// @param settings the operator's settings of this agent
/// @param sessions the earlier messages of sessions
/// @param output where the agent's output and files go
public record BackendContext(
    AgentSettings.Agent settings,
    ProcessLauncher processes,
    InstantSource clock,
    AgentSurroundings surroundings,
    Sessions sessions,
    Output output) {

  /// Where the agent's output and files go.
  ///
  /// @param shaper shapes the events of this run
  /// @param files stores the agent's files while it is paused; empty if that is impossible
  public record Output(EventShaper shaper, Optional<FileKeeping> files) {
    /// For an agent that keeps its place while it waits, without stored outputs.
    public static final Output BARE = new Output(EventShaper.bare(), Optional.empty());
  }

  public Map<String, String> baseEnv() {
    return surroundings.variables();
  }

  /// The variables of runner and operator, with those that the request may set.
  public Map<String, String> merged(Map<String, String> operators, AgentRunRequest request) {
    return settings.grants().requestEnv().merge(operators, request.env());
  }

  public Optional<String> apiKey() {
    return surroundings.apiKey();
  }

  /// Copies a login of the operator into the agent's home, if there is one and the home has none. A
  /// copy, because an agent could write through a link what a later run then uses; so what the
  /// agent's program renews in it is lost.
  ///
  /// @param login its path below the operator's home
  /// @param into its path in the agent's home
  public void copyLogin(String login, Path into) throws IOException {
    Optional<Path> from = surroundings.logins().map(logins -> logins.resolve(login));
    if (from.isPresent() && Files.isReadable(from.get()) && !Files.exists(into)) {
      Files.createDirectories(Objects.requireNonNull(into.getParent()));
      Files.createFile(
          into, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      byte[] content = Files.readAllBytes(from.get());
      Files.write(into, content);
      Logins.tokens(content).forEach(token -> shaper().know("login", token));
    }
  }

  public Path home() {
    return surroundings.home();
  }

  public EventShaper shaper() {
    return output.shaper();
  }

  public Optional<FileKeeping> files() {
    return output.files();
  }

  /// The messages of a session's completed runs.
  @FunctionalInterface
  public interface Sessions {
    Sessions NONE = (_, _) -> List.of();

    /// The messages, oldest first.
    List<Message> said(String tenant, TurnIds turn);
  }
}
