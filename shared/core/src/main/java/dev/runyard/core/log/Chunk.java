package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamEvent;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What is written to the log at once: consecutive events of one stream, written once and never
/// changed.
///
/// @param id names this write: a writer that finds its own id at the place it wanted to write knows
///   that its earlier try succeeded
/// @param writer who wrote it, for people
/// @param state the stream's phase after the chunk, only when the chunk changes the state
/// @param closed true when nothing follows
public record Chunk(
    StreamKey key,
    String id,
    String writer,
    ChunkBody body,
    Optional<String> state,
    boolean closed) {
  /// Design bound of a stored chunk, after deflating.
  public static final int CHUNK_BYTES_MAX = 256 * 1024;

  public Chunk {
    Objects.requireNonNull(key);
    Objects.requireNonNull(id);
    Objects.requireNonNull(writer);
    Objects.requireNonNull(body);
    Objects.requireNonNull(state);
  }

  public long first() {
    return body.first();
  }

  public long last() {
    return body.last();
  }

  /// The number of events.
  public int count() {
    return Math.toIntExact(last() - first() + 1);
  }

  /// Its events; `codec` is that of the stream's kind.
  public <E extends StreamEvent> List<E> events(StreamCodec<E> codec) {
    return body.events(codec, key);
  }
}
