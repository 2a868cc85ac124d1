package dev.runyard.embedded;

import java.time.Instant;
import java.util.Optional;

/// One append, as the change feed shows it: which stream changed, not what was written.
///
/// @param position of this change among the appends of all streams; later ones have higher ones
/// @param partition of the stream: `<tenant>#<kind>#<id>`
/// @param first sequence of its first event
/// @param last sequence of its last event
/// @param state the stream's phase after it, only when the append changed the state
/// @param closed true when nothing follows in the stream
/// @param at when it was appended
public record StreamChange(
    long position,
    String partition,
    long first,
    long last,
    Optional<String> state,
    boolean closed,
    Instant at) {}
