package dev.runyard.runner.backend.javaagent;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Limits;
import dev.runyard.runner.process.AgentProcess;
import dev.runyard.runner.process.ProcessTree;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LeaveTimeTest {
  /// It is asked, then signalled, then killed; what it left is signalled, and its errors are read.
  @Test
  void isEnoughForAnAgentThatTakesLongToDie() {
    long end =
        Patience.STOP_SECONDS_MAX
            + ProcessTree.GRACE_SECONDS
            + ProcessTree.KILL_SECONDS_MAX
            + ProcessTree.LEFTOVER_GRACE_SECONDS
            + TimeUnit.MILLISECONDS.toSeconds(AgentProcess.STDERR_DRAIN_MILLIS);

    assertTrue(end < Limits.LEAVE_SECONDS_MAX, "end: " + end);
  }
}
