package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Limits;
import dev.runyard.runner.checkout.PreparationSteps;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.ProcessTree;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PreparedTimeTest {
  @Test
  void isEnoughForACommandThatTakesLongToDieAndEndsBeforeTheRunDoes() {
    long end =
        ProcessTree.KILL_SECONDS_MAX
            + ProcessTree.LEFTOVER_GRACE_SECONDS
            + TimeUnit.MILLISECONDS.toSeconds(
                AgentProcess.STDERR_DRAIN_MILLIS + PreparationSteps.OUTPUT_MILLIS_MAX);

    assertTrue(end < StartingAgent.PREPARED_SECONDS_MAX, "end: " + end);
    assertTrue(StartingAgent.PREPARED_SECONDS_MAX < Limits.CANCEL_SECONDS_MAX);
  }
}
