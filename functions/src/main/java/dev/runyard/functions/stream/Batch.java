package dev.runyard.functions.stream;

import dev.runyard.core.event.EventSize;
import dev.runyard.core.event.StoredEvent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Events one read of the log returned. Readers of a run share it, and what it looks like as
/// server-sent events is worked out once for all who are told the same.
final class Batch {
  static final Batch NONE = new Batch(List.of(), false);

  private final List<StoredEvent> events;
  private final boolean closes;
  private final Map<Class<?>, byte[]> frames = new ConcurrentHashMap<>();

  /// @param closes true when nothing follows these events
  Batch(List<StoredEvent> events, boolean closes) {
    this.events = List.copyOf(events);
    this.closes = closes;
  }

  List<StoredEvent> events() {
    return events;
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  boolean closes() {
    return closes;
  }

  long first() {
    return events.getFirst().sequence();
  }

  long last() {
    return events.getLast().sequence();
  }

  /// Room the events take at most.
  long bytes() {
    return events.stream().mapToLong(event -> EventSize.atMost(event.event())).sum();
  }

  /// What of it is new to a reader that has everything up to `after`.
  Batch after(long after) {
    return first() > after
        ? this
        : new Batch(events.stream().filter(event -> event.sequence() > after).toList(), closes);
  }

  /// The events as `view` tells them.
  byte[] frames(EventView.Teller view) {
    return view.alike()
        ? frames.computeIfAbsent(view.getClass(), _ -> SseFrames.of(events, view))
        : SseFrames.of(events, view);
  }
}
