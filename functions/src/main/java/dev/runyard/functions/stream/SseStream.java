package dev.runyard.functions.stream;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.read.EventRenderer;
import dev.runyard.core.view.RenderedEvent;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// One stream to one client. It ends with the terminal event, when the client disconnects, or after
/// [#STREAM_SECONDS_MAX]; then the client reconnects with the last id it saw. If the store does not
/// answer, the stream waits: disconnecting the client would be worse.
final class SseStream {
  static final int HEARTBEAT_SECONDS = 15;

  /// Within the 15 minutes that a function or a proxy allows a response.
  static final int STREAM_SECONDS_MAX = 14 * 60;

  private final Tail tail;
  private final EventRenderer reader;
  private final Optional<ToldFacts<StoredEvent>> told;
  private final InstantSource clock;
  private final OutputStream out;
  private Instant heartbeat;
  private boolean answered;
  private long sent;

  SseStream(RunReader reader, InstantSource clock, OutputStream out) {
    this.tail = reader.tail();
    this.reader = reader.renderer();
    this.told = reader.told();
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
        send(batch);
      } else if (answered) {
        tell(this::caughtUp);
      }
      if (!clock.instant().isBefore(heartbeat)) {
        write(SseFrames.heartbeat());
      }
      inTime = tail.ended() || (tail.pause(end) && admission.holds());
    }
    return sent;
  }

  private Batch read() {
    answered = false;
    try {
      Batch batch = tail.next();
      answered = true;
      return batch;
    } catch (PortUnavailable _) {
      return Batch.NONE;
    }
  }

  /// Nothing follows the terminal event.
  private void send(Batch batch) throws IOException {
    tell(facts -> facts.before(batch.events()));
    write(batch.frames(reader));
    sent += batch.events().size();
    tell(facts -> tail.ended() ? List.of() : facts.behind(batch.events()));
  }

  private List<RenderedEvent> caughtUp(ToldFacts<StoredEvent> facts) {
    try {
      return facts.caughtUp();
    } catch (PortUnavailable _) {
      return List.of();
    }
  }

  private void tell(Function<ToldFacts<StoredEvent>, List<RenderedEvent>> which)
      throws IOException {
    if (told.isPresent()) {
      List<RenderedEvent> facts = which.apply(told.get());
      if (!facts.isEmpty()) {
        write(SseFrames.told(facts, told.get().last(), sent == 0));
      }
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
