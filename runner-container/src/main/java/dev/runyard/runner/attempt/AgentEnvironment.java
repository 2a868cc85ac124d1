package dev.runyard.runner.attempt;

import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.request.SecretRef;
import dev.runyard.runner.backend.Redaction;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What the operator sets for agents, and which of the runner's variables they see.
///
/// @param runnerEnv the runner's own variables
public record AgentEnvironment(AgentSettings settings, Map<String, String> runnerEnv) {
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

  AgentSettings.Agent settings(AgentKind kind) {
    return settings.of(kind);
  }

  /// The variables every agent may see.
  Map<String, String> variables() {
    Map<String, String> shown = new TreeMap<>(runnerEnv);
    shown.keySet().retainAll(AGENT_VARIABLES);
    return shown;
  }

  /// The request's variables with the values of the secrets that they name.
  ///
  /// @param redaction gets to know the secrets
  Prepared<Map<String, String>> resolved(
      AgentKind kind, Map<String, String> given, Redaction redaction) {
    Map<String, String> resolved = new TreeMap<>(given);
    for (Map.Entry<String, String> variable : resolved.entrySet()) {
      Optional<String> secret = SecretRef.name(variable.getValue());
      if (secret.isEmpty()) {
        continue;
      }
      Optional<String> value = secret(kind, secret.get(), redaction);
      if (value.isEmpty()) {
        return new Prepared.Refused<>(
            Prepared.notStarted("its runner cannot read the secret " + secret.get()));
      }
      variable.setValue(value.get());
    }
    return new Prepared.Ready<>(resolved);
  }

  /// A secret that requests to this agent may name; empty if the runner cannot read it.
  ///
  /// @param redaction gets to know it
  Optional<String> secret(AgentKind kind, String name, Redaction redaction) {
    Optional<String> value =
        Optional.ofNullable(settings(kind).grants().secrets().sources().get(name))
            .flatMap(new RunnerSecrets(runnerEnv)::read);
    value.ifPresent(known -> redaction.know(name, known));
    return value;
  }

  /// What must not be told of an attempt of this agent: the operator's key and variables that hold
  /// one, and the request's variables.
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
    apiKey(kind).ifPresent(key -> redaction.know(String.valueOf(settings.apiKeyEnv()), key));
    return redaction;
  }

  /// The home whose logins agents without a key use: the folder that the operator names, never that
  /// of the runner, which agents may be able to write.
  Optional<Path> logins() {
    return Optional.ofNullable(runnerEnv.get(LOGINS)).filter(name -> !name.isBlank()).map(Path::of);
  }

  /// The key of the agent's model provider, if the operator named a variable that is set.
  Optional<String> apiKey(AgentKind kind) {
    return Optional.ofNullable(settings(kind).apiKeyEnv()).map(runnerEnv::get);
  }
}
