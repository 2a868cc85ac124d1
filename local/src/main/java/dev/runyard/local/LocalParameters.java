package dev.runyard.local;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.local.emulator.EmbeddedSecrets;
import dev.runyard.local.template.Template;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The template parameters that differ from AWS because nothing here is far away or billed per
/// request. A template without one of them, such as a test's, is not changed.
public final class LocalParameters {
  static final String AGENTS = "AgentsDocument";
  private static final String SECRETS = "SecretArns";
  private static final String PARAMETERS = "SecretParameterArns";
  private static final String HOOK_SECRETS = "HookSecretArns";
  private static final String HOOK_PARAMETERS = "HookSecretParameterArns";
  static final Map<String, String> DEFAULTS =
      Map.of(
          "FlushMillis", "10",
          "GatherMillis", "0",
          "TailMillis", "20",
          "RunnersMin", "1",
          "Isolation", "auto");

  private LocalParameters() {}

  static Map<String, String> of(LocalOptions options) {
    return of(options, DEFAULTS);
  }

  /// The parameters of a stack.
  ///
  /// @param defaults values of those that the options do not name
  public static Map<String, String> of(LocalOptions options, Map<String, String> defaults) {
    Set<String> declared = Template.parameterNames(read(options.template()));
    Map<String, String> values = new HashMap<>(defaults);
    values.keySet().retainAll(declared);
    options
        .secrets()
        .map(SecretsFile::read)
        .ifPresent(secrets -> values.putAll(granted(secrets.keySet(), declared)));
    options.agents().ifPresent(file -> values.put(AGENTS, read(file)));
    values.putAll(options.parameters());
    grantedToHooks(values, declared).forEach(values::putIfAbsent);
    return values;
  }

  /// The parameters that let `api` read the secrets that hooks may name.
  private static Map<String, String> grantedToHooks(
      Map<String, String> values, Set<String> declared) {
    Map<String, String> granted = new HashMap<>();
    for (SecretSource source : hookSecrets(values.getOrDefault(AGENTS, ""))) {
      switch (source) {
        case SecretSource.Managed(String id, _) ->
            granted.merge(HOOK_SECRETS, EmbeddedSecrets.secretArn(id), LocalParameters::listed);
        case SecretSource.Parameter(String name) ->
            granted.merge(
                HOOK_PARAMETERS, EmbeddedSecrets.parameterArn(name), LocalParameters::listed);
        case SecretSource.Variable _, SecretSource.PrivateFile _ -> {}
      }
    }
    granted.keySet().retainAll(declared);
    return granted;
  }

  /// The places of these secrets; none of a document that is wrong, of which its readers tell.
  static Collection<SecretSource> hookSecrets(String document) {
    try {
      return AgentSettings.hookSecrets(document).sources().values();
    } catch (IllegalArgumentException _) {
      return List.of();
    }
  }

  /// The parameters that let the runner read the secrets of the stack's file.
  private static Map<String, String> granted(Set<String> names, Set<String> declared) {
    Map<String, String> values = new HashMap<>();
    for (String name : new TreeSet<>(names)) {
      if (name.startsWith("/")) {
        values.merge(PARAMETERS, EmbeddedSecrets.parameterArn(name), LocalParameters::listed);
      } else {
        values.merge(SECRETS, EmbeddedSecrets.secretArn(name), LocalParameters::listed);
      }
    }
    values.keySet().retainAll(declared);
    return values;
  }

  private static String listed(String some, String more) {
    return some + "," + more;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
