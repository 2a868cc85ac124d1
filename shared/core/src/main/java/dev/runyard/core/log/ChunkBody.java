package dev.runyard.core.log;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Consecutive events of one stream, either as objects or as stored bytes ([ChunkBytes]), which
/// only the codec of the stream's kind can read. Bodies are equal when their bytes are.
public abstract sealed class ChunkBody {
  private final long first;
  private final long last;
  private volatile byte @Nullable [] digest;

  private ChunkBody(long first, long last) {
    this.first = first;
    this.last = last;
  }

  /// Events to be stored by `codec`.
  public static <E extends StreamEvent> ChunkBody of(StreamCodec<E> codec, List<E> events) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("a chunk holds at least one event");
    }
    long expected = events.getFirst().sequence();
    for (E event : events) {
      if (event.sequence() != expected++) {
        throw new IllegalArgumentException("events of a chunk are consecutive");
      }
    }
    return new Made<>(codec, List.copyOf(events));
  }

  /// Events as read from the store.
  public static ChunkBody stored(long first, long last, byte[] bytes) {
    return new Stored(first, last, bytes);
  }

  /// Sequence of the first event.
  public final long first() {
    return first;
  }

  /// Sequence of the last event.
  public final long last() {
    return last;
  }

  /// The stored form.
  public abstract byte[] bytes();

  /// The digest of the stored form, which is not made again for it.
  final byte[] digest() {
    byte[] known = digest;
    return known == null ? digested(bytes()) : known;
  }

  /// Remembers the digest of the stored form.
  final byte[] digested(byte[] stored) {
    byte[] made = Digest.of(stored);
    digest = made;
    return made;
  }

  /// The size of its events as lines of JSON, as far as it is known: 0 until [#bytes] was called.
  public abstract int lineBytes();

  /// The events, of the stream `key`.
  ///
  /// @throws IllegalArgumentException when the bytes are not a chunk body
  public abstract <E extends StreamEvent> List<E> events(StreamCodec<E> codec, StreamKey key);

  @Override
  public final boolean equals(Object other) {
    return other instanceof ChunkBody body
        && first == body.first
        && last == body.last
        && Arrays.equals(bytes(), body.bytes());
  }

  @Override
  public final int hashCode() {
    return Objects.hash(first, last);
  }

  @Override
  public final String toString() {
    return "events " + first + " to " + last;
  }

  private static final class Made<T extends StreamEvent> extends ChunkBody {
    private final StreamCodec<T> codec;
    private final List<T> events;
    private volatile int lineBytes;

    Made(StreamCodec<T> codec, List<T> events) {
      super(events.getFirst().sequence(), events.getLast().sequence());
      this.codec = codec;
      this.events = events;
    }

    @Override
    public byte[] bytes() {
      byte[] lines = codec.encode(events);
      lineBytes = lines.length;
      byte[] stored = ChunkBytes.deflate(lines);
      digested(stored);
      return stored;
    }

    @Override
    public int lineBytes() {
      return lineBytes;
    }

    /// The events are already objects; nothing needs decoding.
    @Override
    @SuppressWarnings("unchecked")
    public <E extends StreamEvent> List<E> events(StreamCodec<E> reader, StreamKey key) {
      return reader == (StreamCodec<?>) codec
          ? (List<E>) events
          : reader.decode(key, codec.encode(events));
    }
  }

  private static final class Stored extends ChunkBody {
    private final byte[] bytes;

    Stored(long first, long last, byte[] bytes) {
      super(first, last);
      this.bytes = bytes;
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }

    @Override
    public int lineBytes() {
      return 0;
    }

    @Override
    public <E extends StreamEvent> List<E> events(StreamCodec<E> reader, StreamKey key) {
      return reader.decode(key, ChunkBytes.inflate(bytes));
    }
  }
}
