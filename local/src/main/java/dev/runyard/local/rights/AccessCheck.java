package dev.runyard.local.rights;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asked by an emulator before it does what a request wants.
@FunctionalInterface
public interface AccessCheck {
  /// For an emulator that stands alone.
  AccessCheck NONE = (authorization, asked) -> Optional.empty();

  /// Why the request is refused, in the words of AWS; empty when it is not.
  ///
  /// @param authorization the request's `Authorization` header, which names the key that signed it
  /// @param asked all must be granted
  Optional<String> refusal(@Nullable String authorization, List<Asked> asked);
}
