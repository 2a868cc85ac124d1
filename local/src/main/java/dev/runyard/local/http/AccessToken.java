package dev.runyard.local.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// What a client of a stack on this machine sends to show that its user may use it. Every stack has
/// a new one, so what a client once sent to a program that only took the stack's port opens
/// nothing.
public final class AccessToken {
  static final String SCHEME = "Bearer ";
  private static final int TOKEN_BYTES = 32;

  private final String text;

  private AccessToken(String text) {
    this.text = text;
  }

  /// A new one.
  ///
  /// @param random a source that nobody can predict
  public static AccessToken drawn(RandomGenerator random) {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return new AccessToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /// The text, which is a secret.
  String text() {
    return text;
  }

  /// Whether an `Authorization` header shows this token. It takes as long for any header.
  boolean isShownBy(String authorization) {
    boolean bearer =
        authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME.toLowerCase(Locale.ROOT));
    String shown = bearer ? authorization.substring(SCHEME.length()).strip() : "";
    return MessageDigest.isEqual(
        text.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
  }

  /// Never the text: it would end in a log.
  @Override
  public String toString() {
    return "an access token";
  }
}
