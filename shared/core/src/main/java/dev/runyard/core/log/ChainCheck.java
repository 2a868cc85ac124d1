package dev.runyard.core.log;

import dev.runyard.core.stream.ChunkHash;
import java.util.Optional;

/// Follows the chain of a whole log, chunk by chunk from the first, and keeps what is wrong with it
/// first. Whoever changes a chunk changes its hash, which the next chunk names; whoever also
/// changes all that follow does not change the hash that the read model has kept. Not thread-safe.
public final class ChainCheck {
  private long chunks;
  private long unlinked;
  private long first;
  private long last;
  private Optional<ChunkHash> head = Optional.empty();
  private Optional<Break> broken = Optional.empty();

  /// What is stored of a chunk's place in the chain.
  ///
  /// @param previous the hash of the chunk before, as the chunk names it
  /// @param hash of the chunk itself, made from what is stored
  public record Link(long first, long last, Optional<ChunkHash> previous, ChunkHash hash) {
    public static Link of(Chunk chunk) {
      return new Link(chunk.first(), chunk.last(), chunk.previous(), chunk.hash());
    }
  }

  /// The first thing that is wrong.
  ///
  /// @param first sequence at which the chunk concerned begins, or would begin
  public record Break(long first, Cause cause) {}

  /// What can be wrong.
  public enum Cause {
    /// Events are missing before the chunk.
    GAP,
    /// The chunk before is not the one this chunk was written behind.
    OTHER_BEFORE,
    /// The read model was made from another chunk.
    OTHER_THAN_READ,
    /// The read model was made from events behind the last one that is there.
    CUT_OFF
  }

  /// Follows one more chunk.
  public void follow(Link link) {
    if (link.first() != last + 1) {
      breaks(link.first(), Cause.GAP);
    } else if (link.previous().isPresent() && !link.previous().equals(head)) {
      breaks(link.first(), Cause.OTHER_BEFORE);
    }
    if (chunks > 0 && link.previous().isEmpty()) {
      unlinked++;
    }
    chunks++;
    first = link.first();
    last = link.last();
    head = Optional.of(link.hash());
  }

  /// Compares the newest chunk followed with what the read model has kept of it.
  ///
  /// @param sequence of the read model
  /// @param kept the hash of the chunk at whose end it is
  public void compare(long sequence, ChunkHash kept) {
    if (sequence == last && !head.equals(Optional.of(kept))) {
      breaks(first, Cause.OTHER_THAN_READ);
    }
  }

  /// There are no more chunks.
  ///
  /// @param sequence of a read model that was read before the last of them
  public void end(long sequence) {
    if (sequence > last) {
      breaks(last + 1, Cause.CUT_OFF);
    }
  }

  private void breaks(long at, Cause cause) {
    if (broken.isEmpty()) {
      broken = Optional.of(new Break(at, cause));
    }
  }

  public Optional<Break> broken() {
    return broken;
  }

  public long chunks() {
    return chunks;
  }

  /// Chunks after the first that name none before them, because an earlier version wrote them.
  public long unlinked() {
    return unlinked;
  }

  /// Sequence of the last event followed.
  public long last() {
    return last;
  }

  /// The hash of the newest chunk followed.
  public Optional<ChunkHash> head() {
    return head;
  }
}
