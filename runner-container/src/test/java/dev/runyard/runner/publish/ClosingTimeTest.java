package dev.runyard.runner.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.limits.Limits;
import org.junit.jupiter.api.Test;

final class ClosingTimeTest {
  /// A change is taken and stored, a commit made and pushed, and a forge asked and told.
  @Test
  void isEnoughForAllThatFollowsAnAgentsEnd() {
    int keeping = ChangeBounds.TAKING_SECONDS_MAX + ChangeBounds.FILES_SECONDS_MAX;
    int publishing = 2 * BranchPush.PUSH_SECONDS_MAX + 2 * ForgeCalls.FORGE_SECONDS_MAX;

    assertTrue(keeping + publishing <= Limits.CLOSE_SECONDS_MAX, keeping + " + " + publishing);
  }
}
