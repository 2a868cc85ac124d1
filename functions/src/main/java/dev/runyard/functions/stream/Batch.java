package dev.runyard.functions.stream;

import dev.runyard.core.event.EventSize;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.read.EventRenderer;
import dev.runyard.core.read.Protocol;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Events that one read of the log returned. The readers of a run share it, and it is rendered as
/// server-sent events once for all readers of the same view.
final class Batch {
  static final Batch NONE = new Batch(List.of(), false);

  private final List<StoredEvent> events;
  private final boolean closes;
  private final List<Batch> parts;
  private final Map<Protocol, byte[]> frames = new ConcurrentHashMap<>();

  /// @param closes true when nothing follows these events
  Batch(List<StoredEvent> events, boolean closes) {
    this(events, closes, List.of());
  }

  private Batch(List<StoredEvent> events, boolean closes, List<Batch> parts) {
    this.events = List.copyOf(events);
    this.closes = closes;
    this.parts = parts;
  }

  /// One batch made of consecutive batches; what was rendered for them is reused.
  static Batch of(List<Batch> parts) {
    return parts.size() == 1
        ? parts.getFirst()
        : new Batch(
            parts.stream().flatMap(part -> part.events.stream()).toList(),
            parts.getLast().closes,
            List.copyOf(parts));
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

  /// Upper bound of the events' size.
  long bytes() {
    return events.stream().mapToLong(event -> EventSize.atMost(event.event())).sum();
  }

  /// The part that is new to a reader that has everything up to `after`.
  Batch after(long after) {
    return first() > after
        ? this
        : new Batch(events.stream().filter(event -> event.sequence() > after).toList(), closes);
  }

  /// The events as server-sent events of the reader's protocol.
  byte[] frames(EventRenderer reader) {
    if (!reader.mayBeShared()) {
      return SseFrames.of(events, reader);
    }
    if (parts.isEmpty()) {
      return frames.computeIfAbsent(reader.protocol(), _ -> SseFrames.of(events, reader));
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(part -> all.writeBytes(part.frames(reader)));
    return all.toByteArray();
  }
}
