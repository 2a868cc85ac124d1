package dev.runyard.core.log;

import dev.runyard.core.ids.StreamKey;
import java.util.List;
import java.util.Optional;

/// A log whose streams have lost their first chunks, because these were written long ago.
public record WithoutBeginning(EventLog log) implements EventLog {
  @Override
  public AppendResult append(Chunk chunk) {
    return log.append(chunk);
  }

  @Override
  public List<Chunk> chunksAfter(StreamKey key, long sequence) {
    return log.chunksAfter(key, sequence).stream().filter(chunk -> chunk.first() > 1).toList();
  }

  @Override
  public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    return log.chunkAt(key, sequence).filter(chunk -> chunk.first() > 1);
  }
}
