package dev.runyard.embedded;

import java.nio.file.Path;
import java.time.Duration;

/// Where a store is and how it keeps what it is given.
///
/// @param folder holds the store and nothing else; it is made where there is none
/// @param retention how long things are kept after they were last written
/// @param sync whether a write is acknowledged only once the disk has it. Without, a process that
///   dies loses nothing, but a machine that loses power may lose the last writes it acknowledged
/// @param itemsMax how many items of jobs runners may have at once
public record StoreSettings(Path folder, Duration retention, boolean sync, int itemsMax) {
  /// Settings of a store whose runners may have any number of items.
  public StoreSettings(Path folder, Duration retention, boolean sync) {
    this(folder, retention, sync, Integer.MAX_VALUE);
  }

  /// Settings of a store that syncs.
  public StoreSettings(Path folder, Duration retention) {
    this(folder, retention, true);
  }

  public StoreSettings {
    if (retention.isNegative() || retention.isZero()) {
      throw new IllegalArgumentException("what is kept for no time is not kept");
    }
  }
}
