package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.time.Duration;

/// How somebody who has read a stream to its end waits for more. A store that notices its own
/// appends ends the wait with the next one; any other lets the time pass.
@FunctionalInterface
public interface StreamWatch {
  /// Returns when the stream may have events after `sequence`, at the latest after `longest`.
  void await(StreamKey stream, long sequence, Duration longest) throws InterruptedException;
}
