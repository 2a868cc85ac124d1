package dev.runyard.functions.stream;

import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamEvent;
import java.util.Optional;

/// A kind of log whose events are read over HTTP.
///
/// @param scope what a reader needs
/// @param path of its events, with the log's `{id}`
/// @param codec how an event is written
/// @param find the log of an id
/// @param begins whether a log is there from its first event on, so that one without events is none
/// @param absent how a request for a log is answered that is not there
/// @param <E> its events
record LogKind<E extends StreamEvent>(
    Scope scope, String path, StreamCodec<E> codec, Find find, boolean begins, Problem absent) {

  /// Finds the log that a request names.
  @FunctionalInterface
  interface Find {
    Optional<? extends StreamKey> find(String tenant, String id);
  }
}
