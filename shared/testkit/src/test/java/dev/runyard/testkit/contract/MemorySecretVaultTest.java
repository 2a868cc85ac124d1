package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemorySecretVault;
import dev.runyard.core.secret.SecretVault;
import java.util.Map;

class MemorySecretVaultTest extends SecretVaultContract {
  @Override
  protected SecretVault keeping(Map<String, String> values) {
    return new MemorySecretVault(values);
  }
}
