package dev.runyard.embedded;

import dev.runyard.core.access.StreamTokens;
import dev.runyard.testkit.contract.StreamTokensContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedStreamTokensTest extends StreamTokensContract {
  private final StoreRig rig;

  ReopenedStreamTokensTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected StreamTokens tokens() {
    return rig.reopening(StreamTokens.class, EmbeddedStore::streamTokens);
  }
}
