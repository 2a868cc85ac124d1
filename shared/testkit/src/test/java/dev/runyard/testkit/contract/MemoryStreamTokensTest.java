package dev.runyard.testkit.contract;

import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.memory.MemoryStreamTokens;

class MemoryStreamTokensTest extends StreamTokensContract {
  private final StreamTokens tokens = new MemoryStreamTokens();

  @Override
  protected StreamTokens tokens() {
    return tokens;
  }
}
