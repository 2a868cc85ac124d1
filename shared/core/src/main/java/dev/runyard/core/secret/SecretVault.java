package dev.runyard.core.secret;

import java.nio.charset.StandardCharsets;

/// The services that keep an operator's secrets. Each call asks anew, so that a secret that was
/// changed holds from the next attempt on. A call ends within seconds, whatever the service does,
/// and says what is wrong instead of throwing.
public interface SecretVault {
  /// Larger values are not given out. Secrets Manager keeps no larger ones.
  int SECRET_BYTES_MAX = 65_536;

  /// A vault without secrets.
  SecretVault EMPTY =
      new SecretVault() {
        @Override
        public Fetched secret(String id) {
          return new Fetched.Unavailable(SecretTrouble.UNKNOWN);
        }

        @Override
        public Fetched parameter(String name) {
          return new Fetched.Unavailable(SecretTrouble.UNKNOWN);
        }
      };

  /// The text of a secret of Secrets Manager.
  ///
  /// @param id name or ARN
  Fetched secret(String id);

  /// The decrypted text of a parameter of SSM.
  ///
  /// @param name begins with a slash
  Fetched parameter(String name);

  /// A text that was found, if it can be a secret.
  static Fetched checked(String text) {
    if (text.getBytes(StandardCharsets.UTF_8).length > SECRET_BYTES_MAX) {
      return new Fetched.Unavailable(SecretTrouble.TOO_LARGE);
    }
    return text.isBlank()
        ? new Fetched.Unavailable(SecretTrouble.NO_TEXT)
        : new Fetched.Value(text);
  }
}
