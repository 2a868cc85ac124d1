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
/// @param absent how a request for a log is answered that is not there
/// @param <E> its events
record LogKind<E extends StreamEvent>(
    Scope scope, String path, StreamCodec<E> codec, Find<E> find, Problem absent) {

  /// Finds the log that a request names.
  @FunctionalInterface
  interface Find<E> {
    Optional<Found<E>> find(String tenant, String id);
  }

  /// A log.
  ///
  /// @param unbegun stands for an event of a log that is there before its first one; empty where a
  ///   log without events is none
  record Found<E>(StreamKey key, Optional<E> unbegun) {}

  /// The path of what the log is about.
  String about(String id) {
    return path.substring(0, path.indexOf('{')) + id;
  }
}
