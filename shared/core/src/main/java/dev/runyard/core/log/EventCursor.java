package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Reads a stream's events in order from any sequence. A cursor is the sequence of the last event
/// seen, so a reader that resumes with it gets each later event exactly once. A cursor beyond the
/// head waits for the head to pass it; one before the first event that is kept goes on with that.
///
/// It follows the chain of the chunks it reads, and tells when a chunk was written behind another
/// than the one it found: somebody has replaced that. It goes on reading. Not thread-safe.
///
/// @param <E> events of the kind of stream
public final class EventCursor<E extends StreamEvent> {
  private final EventLog log;
  private final StreamCodec<E> codec;
  private final StreamKey key;
  private final LongConsumer broken;
  private long after;
  private boolean atChunkEnd;
  private boolean closed;
  private Optional<Chain> chain = Optional.empty();
  private long chained;

  /// A cursor that tells nobody of a broken chain.
  public EventCursor(EventLog log, StreamCodec<E> codec, StreamKey key, long after) {
    this(log, codec, key, after, _ -> {});
  }

  /// @param broken told once, of the sequence at which a chunk begins that does not follow the one
  ///   before it
  public EventCursor(
      EventLog log, StreamCodec<E> codec, StreamKey key, long after, LongConsumer broken) {
    this.log = log;
    this.codec = codec;
    this.key = key;
    this.broken = broken;
    this.after = after;
    this.atChunkEnd = after == 0;
  }

  public long after() {
    return after;
  }

  /// True once the terminal event was read.
  public boolean closed() {
    return closed;
  }

  /// True while the cursor is beyond the head, according to the last read.
  public boolean isAhead() {
    return !atChunkEnd;
  }

  /// The next events, at most what one read of the log returns; empty when there are none yet.
  public List<E> next() {
    return read(log::chunksAfter);
  }

  /// The same for callers that poll: it may briefly miss what was just appended, and costs less.
  public List<E> news() {
    return read((stream, from) -> unbroken(log.newsAfter(stream, from), from));
  }

  private interface Reading {
    List<Chunk> after(StreamKey key, long sequence);
  }

  /// The chunks up to the first gap.
  private static List<Chunk> unbroken(List<Chunk> chunks, long from) {
    List<Chunk> found = new ArrayList<>();
    long last = from;
    for (Chunk chunk : chunks) {
      if (chunk.first() != last + 1) {
        break;
      }
      found.add(chunk);
      last = chunk.last();
    }
    return found;
  }

  private List<E> read(Reading reading) {
    if (closed) {
      return List.of();
    }
    List<Chunk> chunks = new ArrayList<>();
    long from = after;
    boolean aligned = atChunkEnd;
    if (!aligned) {
      Optional<Chunk> around = around();
      around.ifPresent(chunks::add);
      aligned = around.isPresent() && around.get().last() >= after;
      from = aligned ? around.get().last() : after;
      if (!aligned && isGone()) {
        chunks.clear();
        aligned = true;
      }
    }
    if (aligned && chunks.stream().noneMatch(Chunk::closed)) {
      chunks.addAll(reading.after(key, from));
    }
    atChunkEnd = aligned;
    return take(chunks);
  }

  private Optional<Chunk> around() {
    return log.chunkAt(key, after + 1);
  }

  /// True when the log goes on behind the cursor though nothing around it is kept any more. What is
  /// there is looked at again, since the log may have grown past the cursor just now.
  private boolean isGone() {
    return log.chunkAt(key, Long.MAX_VALUE).filter(newest -> newest.first() > after).isPresent()
        && around().filter(chunk -> chunk.last() >= after).isEmpty();
  }

  /// Moves the cursor past the chunks: only here, after all reads have succeeded, so that a failed
  /// read loses nothing.
  private List<E> take(List<Chunk> chunks) {
    List<E> events = new ArrayList<>();
    for (Chunk chunk : chunks) {
      follow(chunk);
      for (E event : chunk.events(codec)) {
        if (event.sequence() > after) {
          events.add(event);
        }
      }
      closed |= chunk.closed();
      after = Math.max(after, chunk.last());
    }
    return events;
  }

  /// A chunk around the cursor is read again while the cursor is ahead of it.
  private void follow(Chunk chunk) {
    if (chunk.first() <= chained) {
      return;
    }
    chained = chunk.last();
    boolean before = chain.filter(Chain::broken).isPresent();
    Chain now = Chain.behind(chain, chunk.first(), chunk.previous(), chunk.hash());
    chain = Optional.of(now);
    if (now.broken() && !before) {
      broken.accept(now.brokenAt());
    }
  }
}
