package dev.runyard.core.access;

import java.util.Optional;

/// The stream tokens of all tenants. One is found by the hash of its text alone, and may be gone
/// once it has expired; whoever finds one judges that by its time.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface StreamTokens {
  /// Adds a new token.
  void add(StreamToken token);

  /// The token whose text has this hash, as of the last acknowledged write.
  Optional<StreamToken> find(String hash);
}
