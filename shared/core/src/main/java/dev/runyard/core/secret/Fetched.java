package dev.runyard.core.secret;

/// What came of asking for a secret.
public sealed interface Fetched {
  /// Its text. The record's own text form does not show it.
  record Value(String text) implements Fetched {
    @Override
    public String toString() {
      return "Value[]";
    }
  }

  /// It cannot be had.
  record Unavailable(SecretTrouble why) implements Fetched {}
}
