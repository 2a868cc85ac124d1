package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Checks that an agent keeps its manifest's promises. The agent must report something and then
/// continue until it is stopped: whatever it reports before that was reported while it ran.
public final class CapabilityTruth {
  private static final Duration LOOK = Duration.ofMillis(20);

  private CapabilityTruth() {}

  /// The capabilities that turn out to be untrue. Stops the agent and waits for its end.
  ///
  /// @param patience how long an agent may take until its first event
  public static List<String> untrue(AgentManifest manifest, AgentRun run, Duration patience)
      throws InterruptedException {
    List<String> untrue = new ArrayList<>();
    boolean live = tellsWhileItRuns(run, patience);
    if (!live && manifest.capabilities().contains(Capabilities.EVENTS_LIVE)) {
      untrue.add(Capabilities.EVENTS_LIVE);
    }
    run.abandon(patience);
    boolean ended =
        run.take(Integer.MAX_VALUE).stream().anyMatch(AgentSignal.Ended.class::isInstance);
    if (!ended && manifest.capabilities().contains(Capabilities.CANCEL)) {
      untrue.add(Capabilities.CANCEL);
    }
    return untrue;
  }

  private static boolean tellsWhileItRuns(AgentRun run, Duration patience)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() < deadline) {
      for (AgentSignal signal : run.take(1)) {
        if (!(signal instanceof AgentSignal.Output output)) {
          return false;
        }
        if (!(output.event() instanceof RunEvent.RuntimeWarning)) {
          return true;
        }
      }
      run.awaitSignal(LOOK);
    }
    return false;
  }
}
