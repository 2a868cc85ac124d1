package dev.runyard.core.batch;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;

/// The log of what went wrong with a batch.
public interface BatchLog {
  /// A stream was not handled.
  ///
  /// @param event a word for what happened to it
  void failed(String event, StreamKey stream, RuntimeException cause);

  /// A stream was set aside, to be handled later.
  void setAside(StreamKey stream);

  /// A record of a kind of stream without a route.
  void unknown(StreamKind kind);

  /// A record that names no stream.
  void noStream(IllegalArgumentException cause);
}
