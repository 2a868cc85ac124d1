package dev.runyard.core.secret;

/// Why a secret cannot be had, in words that may be shown to whoever asked for a run: they never
/// repeat what a service answered.
public enum SecretTrouble {
  UNKNOWN("there is no such secret where the operator keeps it"),
  NO_RIGHT("%s may not read it"),
  KEY_UNAVAILABLE("%s cannot use the key that encrypts it"),
  UNREACHABLE("the service that keeps it did not answer in time"),
  TOO_LARGE("it has more than %d bytes".formatted(SecretVault.SECRET_BYTES_MAX)),
  NO_TEXT("it is blank, or no text"),
  NO_MEMBER("it is no JSON object with a text or number of that name"),
  NOT_PRIVATE("its file may be used by others than %s");

  private final String text;

  SecretTrouble(String text) {
    this.text = text;
  }

  /// The words about a runner that wanted it.
  public String text() {
    return text("the runner");
  }

  /// The words about somebody else who wanted it.
  public String text(String reader) {
    return text.formatted(reader);
  }
}
