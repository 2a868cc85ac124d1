package dev.runyard.core.secret;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Secrets that are given by name, as the local stack has them: one that begins with a slash is a
/// parameter of SSM, any other a secret of Secrets Manager, which is also found by its ARN.
public final class NamedSecrets implements SecretVault {
  private static final Pattern ARN =
      Pattern.compile("arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:(.+?)(-[A-Za-z0-9]{6})?");
  private static final String PARAMETER = "/";

  private final Map<String, String> byName;

  public NamedSecrets(Map<String, String> byName) {
    this.byName = Map.copyOf(byName);
  }

  @Override
  public Fetched secret(String id) {
    return found(findSecret(id));
  }

  @Override
  public Fetched parameter(String name) {
    return found(findParameter(name));
  }

  /// A secret's text, whatever it is.
  public Optional<String> findSecret(String id) {
    return id.startsWith(PARAMETER)
        ? Optional.empty()
        : Optional.ofNullable(byName.get(id)).or(() -> Optional.ofNullable(byName.get(nameOf(id))));
  }

  /// A parameter's text, whatever it is.
  public Optional<String> findParameter(String name) {
    return name.startsWith(PARAMETER) ? Optional.ofNullable(byName.get(name)) : Optional.empty();
  }

  /// The name in an ARN without the six characters that AWS adds to it; a name as it is.
  public static String nameOf(String id) {
    Matcher arn = ARN.matcher(id);
    return arn.matches() ? arn.group(1) : id;
  }

  private static Fetched found(Optional<String> text) {
    return text.map(SecretVault::checked)
        .orElseGet(() -> new Fetched.Unavailable(SecretTrouble.UNKNOWN));
  }
}
