package dev.runyard.local.rights;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checked by an emulator before it executes a request.
@FunctionalInterface
public interface AccessCheck {
  /// For an emulator without checks.
  AccessCheck NONE = (authorization, asked) -> Optional.empty();

  /// Why the request is refused, as a message of AWS; empty when it is allowed.
  ///
  /// @param authorization the request's `Authorization` header, which names the key that signed it
  /// @param asked the actions, all of which must be granted
  Optional<String> refusal(@Nullable String authorization, List<Asked> asked);
}
