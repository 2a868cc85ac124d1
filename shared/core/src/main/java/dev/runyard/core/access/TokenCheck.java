package dev.runyard.core.access;

import java.util.Optional;

/// Verifies tokens of an issuer.
@FunctionalInterface
public interface TokenCheck {
  /// Whom the token means; empty for one that is not valid.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when that cannot be known, because the issuer
  ///   does not answer
  Optional<Identity> identity(String token);
}
