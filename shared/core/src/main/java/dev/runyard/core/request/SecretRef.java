package dev.runyard.core.request;

import java.util.Optional;

/// A variable of a request whose value is a secret of the operator: the request names it, and only
/// the runner reads it, when it starts the agent.
///
/// It is kept among the request's variables as a text that no caller can send, because no text of a
/// request contains the character it begins with.
public final class SecretRef {
  private static final String MARK = "\0secret:";

  private SecretRef() {}

  /// The value of a variable that stands for the secret of this name.
  public static String value(String name) {
    return MARK + name;
  }

  /// The name of the secret that a variable's value stands for; empty if it is a value itself.
  public static Optional<String> name(String value) {
    return value.startsWith(MARK) ? Optional.of(value.substring(MARK.length())) : Optional.empty();
  }
}
