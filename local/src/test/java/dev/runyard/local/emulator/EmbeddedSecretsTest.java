package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.AwsSecretVault;
import dev.runyard.aws.Settings;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.secret.SecretVault;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.testkit.contract.SecretVaultContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The AWS adapter meets its contract on the embedded server.
class EmbeddedSecretsTest extends SecretVaultContract {
  private final List<EmbeddedSecrets> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(EmbeddedSecrets::close);
  }

  @Override
  protected SecretVault keeping(Map<String, String> values) {
    return vault(values, AccessCheck.NONE);
  }

  @Test
  void givesNothingToWhoHasNoRight() {
    List<String> asked = new ArrayList<>();
    SecretVault vault =
        vault(
            Map.of("secret", "one", "/parameter", "two"),
            (_, actions) -> {
              actions.forEach(action -> asked.add(action.action() + " " + action.resource()));
              return Optional.of("not you");
            });

    Fetched refused = new Fetched.Unavailable(SecretTrouble.NO_RIGHT);
    assertEquals(refused, vault.secret("secret"));
    assertEquals(refused, vault.parameter("/parameter"));
    assertEquals(
        List.of(
            "secretsmanager:GetSecretValue " + EmbeddedSecrets.secretArn("secret"),
            "ssm:GetParameter " + EmbeddedSecrets.parameterArn("/parameter")),
        asked);
  }

  private SecretVault vault(Map<String, String> values, AccessCheck access) {
    EmbeddedSecrets secrets = new EmbeddedSecrets(values, access);
    started.add(secrets);
    String address = secrets.endpoint().toString();
    AwsClients clients =
        new AwsClients(
            EmulatorSettings.of(
                Map.of(
                    Settings.ENDPOINT_URL_SECRETS_MANAGER,
                    address,
                    Settings.ENDPOINT_URL_SSM,
                    address)));
    return new AwsSecretVault(clients::secrets, clients::parameters);
  }
}
