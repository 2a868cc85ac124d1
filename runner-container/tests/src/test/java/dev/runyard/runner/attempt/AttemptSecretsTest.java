package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.SecretRef;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.NamedSecrets;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.secret.SecretVault;
import dev.runyard.runner.backend.Redaction;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AttemptSecretsTest {
  private static final String VALUE = "s3cret-of-the-operator";
  private static final String KEY = "operators-key-0001";
  private static final String DOCUMENT =
      """
      {"agents": {"codex": {KEY "request_env": ["A", "B"],
        "env": {"MY_TOKEN": "token-in-file", "LEVEL": "error-and-more"},
        "secrets": {"TOKEN": "env:RUNNERS", "NPM": "secretsmanager:team/npm", "PYPI": "ssm:/pypi",
          "USER": "secretsmanager:team/json#user", "PASSWORD": "secretsmanager:team/json#password",
          "MISSING": "secretsmanager:team/json#missing"}}}}
      """;
  private static final Map<String, String> KEPT =
      Map.of(
          "team/npm",
          VALUE,
          "/pypi",
          "parameter-of-the-operator",
          "team/json",
          "{\"user\": \"user-of-the-team\", \"password\": 12345678}",
          "key",
          KEY);

  private final Redaction redaction = new Redaction();
  private final List<String> asked = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  @Test
  void givesAnAgentTheSecretsThatItsRequestNames() {
    AttemptSecrets secrets = secrets("", Map.of("RUNNERS", VALUE), new Listed());

    assertEquals(
        new Prepared.Ready<>(Map.of("A", VALUE, "B", "b")),
        secrets.variables(Map.of("A", SecretRef.value("TOKEN"), "B", "b")));
    assertEquals("my [redacted TOKEN]", redaction.text("my " + VALUE));
    assertEquals(List.of(), asked);
  }

  @Test
  void readsEachPlaceOnce() {
    AttemptSecrets secrets = secrets("", Map.of(), new Listed());

    assertEquals(new Prepared.Ready<>(VALUE), secrets.resolve("NPM"));
    assertEquals(new Prepared.Ready<>("parameter-of-the-operator"), secrets.resolve("PYPI"));
    assertEquals(new Prepared.Ready<>("user-of-the-team"), secrets.resolve("USER"));
    assertEquals(new Prepared.Ready<>("12345678"), secrets.resolve("PASSWORD"));
    assertEquals(new Prepared.Ready<>(VALUE), secrets.resolve("NPM"));
    assertEquals(List.of("team/npm", "/pypi", "team/json"), asked);
    assertEquals(
        "[redacted USER]:[redacted PASSWORD]", redaction.text("user-of-the-team:12345678"));
  }

  @Test
  void refusesASecretThatIsNotThereOrNotAllowed() {
    AttemptSecrets secrets = secrets("", Map.of(), new Listed());

    assertEquals(
        "The secret TOKEN could not be read: there is no such secret where the operator keeps it.",
        refusal(secrets.variables(Map.of("A", SecretRef.value("TOKEN")))).message());
    assertEquals(Failure.SECRET_UNAVAILABLE, refusal(secrets.resolve("OTHER")).code());
    assertFalse(refusal(secrets.resolve("MISSING")).message().contains("12345678"));
    assertEquals(Failure.SECRET_UNAVAILABLE, refusal(secrets.resolve("MISSING")).code());
  }

  @Test
  void saysWhyASecretCannotBeHad() {
    for (SecretTrouble why : SecretTrouble.values()) {
      AttemptSecrets secrets = secrets("", Map.of(), new Broken(why));

      Failure failure = refusal(secrets.resolve("NPM"));
      assertEquals(Failure.SECRET_UNAVAILABLE, failure.code());
      assertEquals("The secret NPM could not be read: " + why.text() + ".", failure.message());
    }
  }

  @Test
  void asksNoFurtherPlaceWhenItTookTooLong() {
    AttemptSecrets secrets =
        secrets(
            "",
            Map.of(),
            new Listed() {
              @Override
              public Fetched secret(String id) {
                now = now.plusSeconds(AttemptSecrets.READ_SECONDS_MAX + 1);
                return super.secret(id);
              }
            });

    assertEquals(new Prepared.Ready<>(VALUE), secrets.resolve("NPM"));
    assertEquals(
        "The secret PYPI could not be read: the service that keeps it did not answer in time.",
        refusal(secrets.resolve("PYPI")).message());
    assertEquals(List.of("team/npm"), asked);
  }

  @Test
  void readsTheKeyOfTheModelsWhereTheOperatorSays() throws IOException {
    String named = "\"api_key\": \"secretsmanager:key\", \"api_key_env\": \"KEY_OF_CODEX\",";

    assertEquals(
        new Prepared.Ready<>(Optional.of(KEY)),
        secrets(named, Map.of("KEY_OF_CODEX", "another"), new Listed()).apiKey());
    assertEquals("[redacted KEY_OF_CODEX]", redaction.text(KEY));
    assertEquals(
        "The agent's key of its models (api_key) could not be read: the runner may not read it.",
        refusal(secrets(named, Map.of(), new Broken(SecretTrouble.NO_RIGHT)).apiKey()).message());
  }

  @Test
  void takesTheKeyFromAVariableOfTheRunnerWhereNoPlaceIsNamed() throws IOException {
    String named = "\"api_key_env\": \"KEY_OF_CODEX\",";

    assertEquals(
        new Prepared.Ready<>(Optional.of(KEY)),
        secrets(named, Map.of("KEY_OF_CODEX", KEY), new Listed()).apiKey());
    assertEquals("[redacted KEY_OF_CODEX]", redaction.text(KEY));
    assertEquals(
        new Prepared.Ready<>(Optional.empty()), secrets(named, Map.of(), new Listed()).apiKey());
    assertEquals(
        new Prepared.Ready<>(Optional.empty()), secrets("", Map.of(), new Listed()).apiKey());
  }

  @Test
  void keepsWhatTheOperatorAndTheRequestCallSecret() {
    Redaction known =
        environment("", Map.of(), SecretVault.EMPTY)
            .redaction(AgentCatalog.CODEX, Map.of("GIVEN", "of the request"));

    assertEquals(
        "[redacted MY_TOKEN] [redacted GIVEN] level=error-and-more",
        known.text("token-in-file of the request level=error-and-more"));
  }

  private AttemptSecrets secrets(String key, Map<String, String> runners, SecretVault vault) {
    return environment(key, runners, vault).secrets(AgentCatalog.CODEX, redaction, () -> now);
  }

  private static AgentEnvironment environment(
      String key, Map<String, String> runners, SecretVault vault) {
    return new AgentEnvironment(
        AgentSettings.parse(DOCUMENT.replace("KEY", key), AgentCatalog.builtIn()), runners, vault);
  }

  private static Failure refusal(Prepared<?> prepared) {
    return assertInstanceOf(Prepared.Refused.class, prepared).failure();
  }

  /// Lists what it is asked for.
  private class Listed implements SecretVault {
    private final SecretVault kept = new NamedSecrets(KEPT);

    @Override
    public Fetched secret(String id) {
      asked.add(id);
      return kept.secret(id);
    }

    @Override
    public Fetched parameter(String name) {
      asked.add(name);
      return kept.parameter(name);
    }
  }

  private record Broken(SecretTrouble why) implements SecretVault {
    @Override
    public Fetched secret(String id) {
      return new Fetched.Unavailable(why);
    }

    @Override
    public Fetched parameter(String name) {
      return new Fetched.Unavailable(why);
    }
  }
}
