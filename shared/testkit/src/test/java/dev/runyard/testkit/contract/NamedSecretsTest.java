package dev.runyard.testkit.contract;

import dev.runyard.core.secret.NamedSecrets;
import dev.runyard.core.secret.SecretVault;
import java.util.Map;

class NamedSecretsTest extends SecretVaultContract {
  @Override
  protected SecretVault keeping(Map<String, String> values) {
    return new NamedSecrets(values);
  }
}
