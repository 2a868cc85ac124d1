package dev.runyard.functions.stream;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.read.EventRenderer;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// One stream to one client. It ends with the terminal event, when the client disconnects, or after
/// [#STREAM_SECONDS_MAX]; then the client reconnects with the last id it saw. If the store does not
/// answer, the stream waits: disconnecting the client would be worse.
final class SseStream {
  static final int HEARTBEAT_SECONDS = 15;

  /// Within the 15 minutes that a function or a proxy allows a response.
  static final int STREAM_SECONDS_MAX = 14 * 60;

  private final Tail tail;
  private final EventRenderer reader;
  private final InstantSource clock;
  private final OutputStream out;
  private Instant heartbeat;
  private long sent;

  SseStream(Tail tail, EventRenderer reader, InstantSource clock, OutputStream out) {
    this.tail = tail;
    this.reader = reader;
    this.clock = clock;
    this.out = out;
    this.heartbeat = nextHeartbeat();
  }

  /// Streams to the end and returns how many events were sent.
  ///
  /// @param admission whether the client may read on
  /// @throws IOException when the client is gone
  long run(Admission admission) throws IOException, InterruptedException {
    Instant longest = clock.instant().plusSeconds(STREAM_SECONDS_MAX);
    Instant end = admission.until().isBefore(longest) ? admission.until() : longest;
    write(SseFrames.opening());
    boolean inTime = true;
    while (inTime && !tail.ended()) {
      Batch batch = read();
      if (!batch.isEmpty()) {
        write(batch.frames(reader));
        sent += batch.events().size();
      } else if (!clock.instant().isBefore(heartbeat)) {
        write(SseFrames.heartbeat());
      }
      inTime = tail.ended() || (tail.pause(end) && admission.holds());
    }
    return sent;
  }

  private Batch read() {
    try {
      return tail.next();
    } catch (PortUnavailable _) {
      return Batch.NONE;
    }
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    heartbeat = nextHeartbeat();
  }

  private Instant nextHeartbeat() {
    return clock.instant().plus(Duration.ofSeconds(HEARTBEAT_SECONDS));
  }
}
