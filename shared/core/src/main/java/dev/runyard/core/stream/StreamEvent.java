package dev.runyard.core.stream;

import dev.runyard.core.ids.StreamKey;
import java.time.Instant;

/// An event with its place in its stream: what the envelopes of all kinds have in common.
public interface StreamEvent {
  /// The stream it is in.
  StreamKey key();

  /// Counts from 1 within the stream, without gaps.
  long sequence();

  Instant timestamp();

  /// The name of its type.
  String type();

  /// True when the event changes the state of its stream: its chunk then carries the new state, and
  /// the stream functions get it.
  boolean changesState();
}
