package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.secret.SecretVault;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What every [SecretVault] promises.
public abstract class SecretVaultContract {
  private static final String ARN = "arn:aws:secretsmanager:us-east-1:000000000000:secret:";

  /// A vault that keeps these values: one whose name begins with a slash as a parameter of SSM, any
  /// other as a secret of Secrets Manager.
  protected abstract SecretVault keeping(Map<String, String> values);

  @Test
  void givesASecretByItsNameAndByItsArn() {
    SecretVault vault = keeping(Map.of("team/npm", "s3cret \u00f6 \"x\""));

    Fetched secret = new Fetched.Value("s3cret \u00f6 \"x\"");
    assertEquals(secret, vault.secret("team/npm"));
    assertEquals(secret, vault.secret(ARN + "team/npm"));
    assertEquals(secret, vault.secret(ARN + "team/npm-AbC123"));
  }

  @Test
  void givesAParameterByItsName() {
    SecretVault vault = keeping(Map.of("/team/npm", "s3cret\nof two lines"));

    assertEquals(new Fetched.Value("s3cret\nof two lines"), vault.parameter("/team/npm"));
  }

  @Test
  void saysThatThereIsNone() {
    SecretVault vault = keeping(Map.of("secret", "one", "/parameter", "two"));

    Fetched unknown = new Fetched.Unavailable(SecretTrouble.UNKNOWN);
    assertEquals(unknown, vault.secret("other"));
    assertEquals(unknown, vault.secret("parameter"));
    assertEquals(unknown, vault.parameter("/secret"));
    assertEquals(unknown, vault.parameter("/other"));
  }

  @Test
  void givesAsMuchAsItMayAndNoMore() {
    String most = "x".repeat(SecretVault.SECRET_BYTES_MAX);
    SecretVault vault =
        keeping(Map.of("most", most, "more", most + "x", "/most", most, "/more", most + "x"));

    Fetched tooLarge = new Fetched.Unavailable(SecretTrouble.TOO_LARGE);
    assertEquals(new Fetched.Value(most), vault.secret("most"));
    assertEquals(new Fetched.Value(most), vault.parameter("/most"));
    assertEquals(tooLarge, vault.secret("more"));
    assertEquals(tooLarge, vault.parameter("/more"));
  }

  @Test
  void givesNoBlankText() {
    SecretVault vault = keeping(Map.of("blank", " \n", "/blank", " "));

    Fetched none = new Fetched.Unavailable(SecretTrouble.NO_TEXT);
    assertEquals(none, vault.secret("blank"));
    assertEquals(none, vault.parameter("/blank"));
  }
}
