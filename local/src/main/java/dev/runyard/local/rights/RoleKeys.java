package dev.runyard.local.rights;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The access keys with which the roles of one stack sign. Emulators check no signatures, so the id
/// of a key is what only its role knows: a code that nobody else can make, then the role's name.
public final class RoleKeys {
  private static final String MAC = "HmacSHA256";
  private static final int SECRET_BYTES = 32;
  private static final int CODE_BYTES = 16;
  private static final Pattern SIGNED =
      Pattern.compile("Credential=([0-9a-f]{%d})([A-Za-z0-9]+)/".formatted(2 * CODE_BYTES));

  private final SecretKeySpec secret;

  private RoleKeys(SecretKeySpec secret) {
    this.secret = secret;
  }

  /// New ones.
  ///
  /// @param random a source that nobody can predict
  public static RoleKeys drawn(RandomGenerator random) {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return new RoleKeys(new SecretKeySpec(bytes, MAC));
  }

  /// The id of a role's key, which is a secret. It has no characters but letters and digits, since
  /// emulators take no others.
  public String id(String role) {
    return code(role) + role;
  }

  /// The role that signed a request; empty if none of this stack did.
  Optional<String> role(@Nullable String authorization) {
    Matcher signed = SIGNED.matcher(authorization == null ? "" : authorization);
    return signed.find() && isOurs(signed.group(1), signed.group(2))
        ? Optional.of(signed.group(2))
        : Optional.empty();
  }

  private boolean isOurs(String code, String role) {
    return MessageDigest.isEqual(
        code(role).getBytes(StandardCharsets.US_ASCII), code.getBytes(StandardCharsets.US_ASCII));
  }

  private String code(String role) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(secret);
      byte[] whole = mac.doFinal(role.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, CODE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + MAC, e);
    }
  }
}
