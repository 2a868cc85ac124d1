package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.util.List;
import java.util.Optional;

/// The event log: one partition per stream, one item per chunk. It is the truth about the stream,
/// the lock on it, and the mailbox of whoever works on it. It stores streams of every kind; only
/// the codec of a kind can read its chunks. Reads see every append that was acknowledged before
/// them, except [#newsAfter].
///
/// A call that does not answer throws [dev.runyard.core.problem.PortUnavailable]; an append may
/// then have been applied, and repeating the same chunk shows whether it was.
public interface EventLog {
  /// Most chunks one read returns.
  int READ_CHUNKS_MAX = 100;

  /// Writes the chunk if no chunk begins at its first sequence.
  AppendResult append(Chunk chunk);

  /// Chunks that begin after `sequence`, in order, at most [#READ_CHUNKS_MAX].
  List<Chunk> chunksAfter(StreamKey key, long sequence);

  /// Like [#chunksAfter], but it may briefly miss what was just appended, and costs less.
  default List<Chunk> newsAfter(StreamKey key, long sequence) {
    return chunksAfter(key, sequence);
  }

  /// The last chunk that begins at or before `sequence`; with `Long.MAX_VALUE` the newest chunk.
  Optional<Chunk> chunkAt(StreamKey key, long sequence);
}
