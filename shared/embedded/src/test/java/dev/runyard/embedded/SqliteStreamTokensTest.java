package dev.runyard.embedded;

import dev.runyard.core.access.StreamTokens;
import dev.runyard.testkit.contract.StreamTokensContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteStreamTokensTest extends StreamTokensContract {
  private final StoreRig rig;

  SqliteStreamTokensTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected StreamTokens tokens() {
    return rig.store().streamTokens();
  }
}
