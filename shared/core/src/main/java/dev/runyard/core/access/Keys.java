package dev.runyard.core.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The keys of all tenants. A key is found by the hash of its text alone, and listed by its tenant.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface Keys {
  /// Most keys of a tenant that are listed.
  int LISTED_MAX = 1_000;

  /// How long a key is listed after its end.
  int KEPT_DAYS = 30;

  /// Adds a new key.
  void add(AccessKey key);

  /// The key whose text has this hash, as of the last acknowledged write.
  Optional<AccessKey> find(String hash);

  /// The keys of a tenant, oldest first, at most [#LISTED_MAX].
  List<AccessKey> list(String tenant);

  /// Revokes a tenant's key; its first revocation counts. Empty if there is no such key.
  Optional<AccessKey> revoke(String tenant, String id, Instant at);

  /// Notes that a key was used, unless it was noted after `before` already or the key is no more.
  void used(AccessKey key, Instant at, Instant before);
}
