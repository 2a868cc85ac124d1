package dev.runyard.runner.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.aws.AwsClients;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.runner.kept.KeptFiles;
import org.junit.jupiter.api.Test;

final class ClosingTimeTest {
  /// A pull request is looked for, made, and looked for again.
  private static final int FORGE_CALLS = 3;

  /// An agent is ended, what it left is stored and its commit pushed, a forge is asked and told,
  /// and the store is told of that.
  @Test
  void isEnoughForAllThatFollowsTheEndOfARunsTime() {
    int published =
        Publishing.PUBLISHED_SECONDS_MAX
            + FORGE_CALLS * ForgeCalls.FORGE_SECONDS_MAX
            + AwsClients.TRANSFER_SECONDS_MAX;

    assertTrue(
        Limits.LEAVE_SECONDS_MAX + published <= Limits.CLOSE_SECONDS_MAX,
        "published: " + published);
  }

  /// The last content may be on its way when the time is over, and the list of files then follows.
  @Test
  void isLeftForPublishingHoweverSlowlyIsStored() {
    int change =
        ChangeBounds.TAKING_SECONDS_MAX
            + ChangeBounds.FILES_SECONDS_MAX
            + AwsClients.LARGE_SECONDS_MAX;
    int files = KeptFiles.KEEPING_SECONDS_MAX + 2 * AwsClients.TRANSFER_SECONDS_MAX;

    assertTrue(
        Math.max(change, files) < Publishing.PUBLISHED_SECONDS_MAX, change + " and " + files);
  }

  /// A server may take its time for each of two answers where storing takes none.
  @Test
  void isEnoughToLookAndToPush() {
    assertTrue(2 * BranchPush.PUSH_SECONDS_MAX <= Publishing.PUBLISHED_SECONDS_MAX);
  }

  /// A paused agent ends, and then its files are stored.
  @Test
  void isEnoughForAPause() {
    int stored = KeptFiles.KEEPING_SECONDS_MAX + 3 * AwsClients.TRANSFER_SECONDS_MAX;

    assertTrue(Limits.LEAVE_SECONDS_MAX + stored <= Limits.CLOSE_SECONDS_MAX, "stored: " + stored);
  }
}
