package dev.runyard.core.stream;

import dev.runyard.core.ids.StreamKey;
import java.time.Instant;

/// An event in its place: what the envelopes of all kinds of streams have.
public interface StreamEvent {
  /// The stream it is in.
  StreamKey key();

  /// Counts from 1 within the stream, without gaps.
  long sequence();

  Instant timestamp();

  /// The name of its type.
  String type();

  /// True when the event moves the state of its stream: its chunk then carries the new one, and the
  /// stream functions are told of it.
  boolean changesState();
}
