package dev.runyard.core.log;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.ChunkHash;
import dev.runyard.core.stream.StreamCodec;
import dev.runyard.core.stream.StreamEvent;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
/// @param previous the hash of the chunk before; empty in the first one, and in those of earlier
///   versions
public record Chunk(
    StreamKey key,
    String id,
    String writer,
    ChunkBody body,
    Optional<String> state,
    boolean closed,
    Optional<ChunkHash> previous) {
  /// Design bound of a stored chunk, after deflating.
  public static final int CHUNK_BYTES_MAX = 256 * 1024;

  /// Names the form of what is hashed, so that another may follow.
  private static final int HASH_FORM = 1;

  public Chunk {
    Objects.requireNonNull(key);
    Objects.requireNonNull(id);
    Objects.requireNonNull(writer);
    Objects.requireNonNull(body);
    Objects.requireNonNull(state);
    Objects.requireNonNull(previous);
  }

  /// A chunk without a link.
  public Chunk(
      StreamKey key,
      String id,
      String writer,
      ChunkBody body,
      Optional<String> state,
      boolean closed) {
    this(key, id, writer, body, state, closed, Optional.empty());
  }

  /// The digest of all that is stored of it but the time of its expiry.
  public ChunkHash hash() {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(content)) {
      out.writeByte(HASH_FORM);
      out.writeUTF(key.partition());
      out.writeLong(first());
      out.writeLong(last());
      out.writeUTF(id);
      out.writeUTF(writer);
      out.writeUTF(state.orElse(""));
      out.writeBoolean(closed);
      out.writeBoolean(previous.isPresent());
      if (previous.isPresent()) {
        out.write(previous.get().bytes());
      }
      out.write(body.digest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ChunkHash.of(Digest.of(content.toByteArray()));
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
