package dev.runyard.core.ids;

import java.time.Instant;

/// Where identities come from. Injected, so that a simulation repeats itself.
public interface Ids {
  /// A UUIDv7: sortable by `now`, lower case, unique.
  String runId(Instant now);

  /// An opaque unique token of 16 or more characters from `[A-Za-z0-9_-]`.
  String token();
}
