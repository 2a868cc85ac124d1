package dev.runyard.core.memory;

import dev.runyard.core.access.StreamToken;
import dev.runyard.core.access.StreamTokens;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Stream tokens in memory. None is ever forgotten.
public final class MemoryStreamTokens implements StreamTokens {
  private final Map<String, StreamToken> byHash = new ConcurrentHashMap<>();

  @Override
  public void add(StreamToken token) {
    byHash.put(token.hash(), token);
  }

  @Override
  public Optional<StreamToken> find(String hash) {
    return Optional.ofNullable(byHash.get(hash));
  }
}
