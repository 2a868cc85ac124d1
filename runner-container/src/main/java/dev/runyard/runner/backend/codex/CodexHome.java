package dev.runyard.runner.backend.codex;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.SessionChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// The directory of Codex's configuration and conversations.
///
/// Runs that resume each other's conversations share one. It has its own directory for temporary
/// files, because Codex runs no sandboxed command when its home is below the system's temporary
/// directory.
public record CodexHome(Path path) {

  private static final String PROVIDER = "runyard";

  /// Creates the home if it is missing, for its owner only, and writes the agent's configuration.
  /// It never contains a secret: keys are read from variables.
  ///
  /// @param workingDir whose own `.codex` counts only if the operator trusts workspaces
  public static CodexHome prepare(Path path, CodexSettings settings, Path workingDir)
      throws IOException {
    CodexHome home = new CodexHome(path);
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(path, ownerOnly);
    Files.createDirectories(home.temporary(), ownerOnly);
    Path draft = Files.createTempFile(path, "config", ".toml");
    Files.writeString(
        draft, config(settings) + trust(workingDir, settings.grants().trustWorkspace()));
    Files.move(
        draft,
        path.resolve("config.toml"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    return home;
  }

  /// Finds the conversation a run asks for. Codex itself would silently start a new one if it did
  /// not find it.
  public CodexThread thread(SessionChoice choice) throws IOException {
    return switch (choice) {
      case SessionChoice.Fresh _ -> new CodexThread.Fresh();
      case SessionChoice.Last(boolean fork) -> known(rollouts().newest(), fork, "no session found");
      case SessionChoice.ById(String id, boolean fork) ->
          known(rollouts().find(id), fork, "session not found");
    };
  }

  /// True when a message is part of a conversation that was found before.
  boolean holds(CodexThread thread, AgentPrompt word) throws IOException {
    if (!(thread instanceof CodexThread.Known known)) {
      return false;
    }
    Optional<CodexRollouts.Rollout> found = rollouts().find(known.id());
    return found.isPresent() && CodexRollouts.mentions(found.get(), word.id());
  }

  /// The directory of temporary files of Codex and its commands.
  Path temporary() {
    return path.resolve("scratch");
  }

  /// The text of `config.toml`: a quiet Codex that talks to the agent's provider only. Where the
  /// network is limited it asks for no search of the web, with which each of its calls would be
  /// refused.
  static String config(CodexSettings settings) {
    StringBuilder toml = new StringBuilder();
    settings.baseUrl().ifPresent(_ -> line(toml, "model_provider", quoted(PROVIDER)));
    line(toml, "check_for_update_on_startup", "false");
    if (settings.baseUrl().isPresent() && settings.grants().confines()) {
      line(toml, "web_search", quoted("disabled"));
    }
    toml.append("\n[analytics]\n");
    line(toml, "enabled", "false");
    toml.append("\n[features]\n");
    line(toml, "plugins", "false");
    line(toml, "apps", "false");
    toml.append("\n[shell_environment_policy]\n");
    line(toml, "exclude", "[" + quoted(settings.keyVariable()) + ", \"CODEX_API_KEY\"]");
    settings
        .baseUrl()
        .ifPresent(
            url -> {
              toml.append("\n[model_providers.").append(PROVIDER).append("]\n");
              line(toml, "name", quoted(PROVIDER));
              line(toml, "base_url", quoted(url.toString()));
              line(toml, "wire_api", quoted("responses"));
              line(toml, "env_key", quoted(settings.keyVariable()));
            });
    return toml.toString();
  }

  /// Whether Codex reads settings, hooks and servers of a project. What it is told here it does not
  /// decide itself, as `codex app-server` would when a thread starts.
  static String trust(Path workingDir, boolean trusted) throws IOException {
    StringBuilder toml = new StringBuilder();
    for (Path dir : new TreeSet<>(List.of(workingDir.toAbsolutePath(), workingDir.toRealPath()))) {
      toml.append("\n[projects.").append(quoted(dir.toString())).append("]\n");
      line(toml, "trust_level", quoted(trusted ? "trusted" : "untrusted"));
    }
    return toml.toString();
  }

  /// A TOML string on one line.
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (c < 0x20 || c == 0x7f) {
                quoted.append("\\u%04X".formatted(c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  private static void line(StringBuilder toml, String key, String value) {
    toml.append(key).append(" = ").append(value).append('\n');
  }

  private CodexRollouts rollouts() {
    return new CodexRollouts(path.resolve("sessions"));
  }

  private static CodexThread known(
      Optional<CodexRollouts.Rollout> found, boolean fork, String otherwise) throws IOException {
    if (found.isEmpty()) {
      Failure known = CodexTrouble.SESSION_NOT_FOUND.failure();
      return new CodexThread.Missing(new Failure(known.code(), known.category(), otherwise));
    }
    CodexRollouts.Rollout rollout = found.get();
    Usage used = CodexRollouts.used(rollout);
    return fork
        ? new CodexThread.Copied(rollout.id(), used)
        : new CodexThread.Known(rollout.id(), used);
  }
}
