package dev.runyard.functions.stream;

import dev.runyard.core.access.Identity;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.StreamWatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// How readers of a log read and wait. Each reads by itself: few watch one thread or one job at
/// once.
///
/// @param keys tells whether the key of a reader still stands
/// @param longest before a reader looks again by itself
record LogReading(
    EventLog log, KeyCheck keys, StreamWatch watch, Duration longest, InstantSource clock) {

  Instant now() {
    return clock.instant();
  }

  /// Whether a reader may read on.
  Admission admission(Identity reader) {
    return new Admission(reader, keys, clock);
  }

  /// Waits for an event after `sequence`, at most until `end`. False when `end` has come.
  boolean await(StreamKey stream, long sequence, Instant end) throws InterruptedException {
    Duration left = Duration.between(now(), end);
    if (!left.isPositive()) {
      return false;
    }
    watch.await(stream, sequence, left.compareTo(longest) < 0 ? left : longest);
    return true;
  }
}
