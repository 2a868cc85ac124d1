package dev.runyard.core.stream;

import java.util.Optional;

/// How far a state has followed the chain of its stream's chunks. A state carries it, so that who
/// appends after the state knows what to link to without another read.
///
/// @param head the hash of the chunk at whose end the state is
/// @param brokenAt sequence of the first chunk that names another one before it than there is; 0
///   while there is none
public record Chain(ChunkHash head, long brokenAt) {

  public boolean broken() {
    return brokenAt > 0;
  }

  /// The chain behind one more chunk. A chunk without a link was written by an earlier version, and
  /// breaks nothing.
  ///
  /// @param before the chain up to the chunk, as far as it is known
  /// @param first the chunk's first sequence
  /// @param previous what the chunk is linked to
  public static Chain behind(
      Optional<Chain> before, long first, Optional<ChunkHash> previous, ChunkHash hash) {
    if (before.isEmpty()) {
      return new Chain(hash, 0);
    }
    boolean breaks = previous.isPresent() && !previous.get().equals(before.get().head());
    return new Chain(hash, before.get().broken() || !breaks ? before.get().brokenAt() : first);
  }
}
