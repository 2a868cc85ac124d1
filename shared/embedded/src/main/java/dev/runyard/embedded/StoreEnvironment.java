package dev.runyard.embedded;

import dev.runyard.core.ids.Ids;
import java.time.InstantSource;

/// What a store is given besides its settings: time and chance, and what a test makes fail.
record StoreEnvironment(
    InstantSource clock, Ids ids, Waits waits, ConnectionSource connections, StoreFormat format) {
  StoreEnvironment(InstantSource clock, Ids ids) {
    this(clock, ids, Waits.REAL, ConnectionSource.SQLITE, StoreFormat.CURRENT);
  }
}
