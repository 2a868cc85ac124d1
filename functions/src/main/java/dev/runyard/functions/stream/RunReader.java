package dev.runyard.functions.stream;

import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.read.EventRenderer;
import java.util.Optional;

/// One reader of a run: where it is, the form in which it gets events, and what it is told besides
/// them, in views that have that.
record RunReader(Tail tail, EventRenderer renderer, Optional<ToldFacts<StoredEvent>> told) {}
