package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AttemptEndTest {
  private static final Failure BROKE = Failure.backend("agent_failed", "It broke.");

  @Test
  void reportsHowManyProcessesWouldNotDie() {
    AttemptEnd end =
        new AttemptEnd("a-1", "p-1", true, Optional.empty(), Optional.of(AttemptEnd.cancelled()));

    List<RunEvent> events =
        end.events(
            new AgentSignal.Ended(Optional.of(new Attempt.Exit(null, 9)), 5, Optional.of(BROKE), 2),
            1);

    assertEquals(
        List.of(
            new RunEvent.ProcessTerminated("p-1", "cancelled", 2),
            new RunEvent.ProcessCompleted("p-1", null, 9, 5),
            new RunEvent.AttemptFailed(1, "a-1", AttemptEnd.cancelled())),
        events);
  }

  @Test
  void reportsThatOfAnAgentThatHasDoneItsWork() {
    AttemptEnd end = new AttemptEnd("a-1", "p-1", true, Optional.empty(), Optional.empty());

    List<RunEvent> events =
        end.events(
            new AgentSignal.Ended(Optional.of(new Attempt.Exit(0, null)), 5, Optional.empty(), 1),
            1);

    assertEquals(
        List.of(
            new RunEvent.ProcessTerminated("p-1", "processes_left", 1),
            new RunEvent.ProcessCompleted("p-1", 0, null, 5),
            new RunEvent.AttemptCompleted(1, "a-1")),
        events);
  }
}
