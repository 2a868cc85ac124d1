package dev.runyard.core.event;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.stream.StreamEvent;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An event of a run with its place in the log: the envelope of the Agent Runtime standard.
/// `sequence` counts from 1 within the run, without gaps; the other identities of the envelope
/// follow from the run's own (see [EventCodec]).
///
/// @param turn where the run's turn is
/// @param by who asked for it; null if nobody did, and in events that are older than actors
public record StoredEvent(
    RunKey run,
    TurnIds turn,
    @Nullable String attemptId,
    long sequence,
    Instant timestamp,
    RunEvent event,
    @Nullable Requester by)
    implements StreamEvent {
  public StoredEvent {
    Objects.requireNonNull(run);
    Objects.requireNonNull(turn);
    Objects.requireNonNull(timestamp);
    Objects.requireNonNull(event);
    if (sequence < 1) {
      throw new IllegalArgumentException("sequence counts from 1");
    }
  }

  /// An event that nobody asked for, of a run that names no more than its session.
  public StoredEvent(
      RunKey run,
      String sessionId,
      @Nullable String attemptId,
      long sequence,
      Instant timestamp,
      RunEvent event) {
    this(run, TurnIds.of(run, sessionId), attemptId, sequence, timestamp, event, null);
  }

  public String sessionId() {
    return turn.sessionId();
  }

  @Override
  public RunKey key() {
    return run;
  }

  @Override
  public String type() {
    return EventTypes.nameOf(event);
  }

  @Override
  public boolean changesState() {
    return event instanceof RunEvent.StateChange;
  }
}
