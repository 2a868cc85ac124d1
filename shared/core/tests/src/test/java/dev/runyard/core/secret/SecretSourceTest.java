package dev.runyard.core.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretSourceTest {
  private static final String ARN =
      "arn:aws:secretsmanager:eu-west-1:000000000000:secret:team/npm-AbC123";

  @Test
  void readsEachForm() {
    assertEquals(Optional.of(new SecretSource.Variable("A_1")), SecretSource.read("env:A_1"));
    assertEquals(
        Optional.of(new SecretSource.PrivateFile("/etc/a b")), SecretSource.read("file:/etc/a b"));
    assertEquals(
        Optional.of(new SecretSource.Managed("team/npm", Optional.empty())),
        SecretSource.read("secretsmanager:team/npm"));
    assertEquals(
        Optional.of(new SecretSource.Managed(ARN, Optional.of("pass word"))),
        SecretSource.read("secretsmanager:" + ARN + "#pass word"));
    assertEquals(
        Optional.of(new SecretSource.Parameter("/team/npm")), SecretSource.read("ssm:/team/npm"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "sk-a-key-itself",
        "env:",
        "env:1A",
        "file:relative",
        "secretsmanager:",
        "secretsmanager:a#",
        "secretsmanager:a#b#c",
        "secretsmanager:a b",
        "ssm:relative",
        "ssm:/",
        "ssm:/a b",
        "vault:a",
      })
  void readsNothingElse(String text) {
    assertEquals(Optional.empty(), SecretSource.read(text));
  }

  @Test
  void doesNotShowAValueThatItCarries() {
    assertFalse(new Fetched.Value("s3cret").toString().contains("s3cret"));
  }
}
