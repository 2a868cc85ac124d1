package dev.runyard.embedded;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.StreamWatch;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;

/// Waits for the next append to a stream, of which its doorbell tells at once.
final class SqliteStreamWatch implements StreamWatch {
  private final SqliteEventLog log;
  private final StreamBells bells;
  private final Waits waits;

  SqliteStreamWatch(SqliteEventLog log, StreamBells bells, Waits waits) {
    this.log = log;
    this.bells = bells;
    this.waits = waits;
  }

  @Override
  public void await(StreamKey stream, long sequence, Duration longest) throws InterruptedException {
    String partition = stream.partition();
    Doorbell bell = bells.join(partition);
    try {
      long rings = bell.rings();
      if (!hasNews(stream, sequence)) {
        waits.await(bell, rings, longest);
      }
    } finally {
      bells.leave(partition);
    }
  }

  /// A store that does not answer now may do so after the wait.
  private boolean hasNews(StreamKey stream, long sequence) {
    try {
      return log.hasNews(stream, sequence);
    } catch (PortUnavailable _) {
      return false;
    }
  }
}
