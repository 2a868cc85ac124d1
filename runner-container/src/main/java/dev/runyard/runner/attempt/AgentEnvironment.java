package dev.runyard.runner.attempt;

import dev.runyard.aws.SecretPlaces;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.secret.SecretVault;
import dev.runyard.runner.backend.Redaction;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What the operator sets for agents, and which of the runner's variables they see.
///
/// @param runnerEnv the runner's own variables
/// @param vault keeps what is neither in them nor in a file
public record AgentEnvironment(
    AgentSettings settings, Map<String, String> runnerEnv, SecretVault vault) {
  /// An allow list: agents see no other variable of the runner.
  static final Set<String> AGENT_VARIABLES =
      Set.of(
          "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "USER", "LOGNAME", "SHELL");

  private static final Pattern SECRET =
      Pattern.compile("KEY|TOKEN|SECRET|PASSW|CREDENTIAL", Pattern.CASE_INSENSITIVE);

  /// The variable of the runner that names a home with logins.
  public static final String LOGINS = "RUNYARD_LOGINS";

  public AgentEnvironment {
    runnerEnv = Map.copyOf(runnerEnv);
  }

  /// Without a vault.
  public AgentEnvironment(AgentSettings settings, Map<String, String> runnerEnv) {
    this(settings, runnerEnv, SecretVault.EMPTY);
  }

  AgentSettings.Agent settings(AgentKind kind) {
    return settings.of(kind);
  }

  /// The variables every agent may see.
  Map<String, String> variables() {
    Map<String, String> shown = new TreeMap<>(runnerEnv);
    shown.keySet().retainAll(AGENT_VARIABLES);
    return shown;
  }

  /// The secrets of one attempt.
  ///
  /// @param redaction gets to know them
  AttemptSecrets secrets(AgentKind kind, Redaction redaction, InstantSource clock) {
    return new AttemptSecrets(settings(kind), new SecretPlaces(runnerEnv, vault), redaction, clock);
  }

  /// What must not be told of an attempt of this agent, whatever secrets it is given: the
  /// operator's variables that hold a key, and the request's variables.
  ///
  /// @param given the request's variables
  Redaction redaction(AgentKind kind, Map<String, String> given) {
    Redaction redaction = new Redaction();
    given.forEach(redaction::know);
    AgentSettings.Agent settings = settings(kind);
    settings
        .env()
        .forEach(
            (name, value) -> {
              if (name.equals(settings.apiKeyEnv()) || SECRET.matcher(name).find()) {
                redaction.know(name, value);
              }
            });
    return redaction;
  }

  /// The home whose logins agents without a key use: the folder that the operator names, never that
  /// of the runner, which agents may be able to write.
  Optional<Path> logins() {
    return Optional.ofNullable(runnerEnv.get(LOGINS)).filter(name -> !name.isBlank()).map(Path::of);
  }
}
