package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.problem.PortUnavailable;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryRunnerFleetTest extends RunnerFleetContract {
  private final MemoryRunnerFleet fleet = new MemoryRunnerFleet();

  @Override
  protected RunnerFleet fleet() {
    return fleet;
  }

  @Override
  protected void stopWithoutImage(String task) {
    fleet.stop(task, new StartFailure(StartFailure.Cause.NO_IMAGE, "no image"));
  }

  @Override
  protected void exhaust() {
    fleet.fill(new StartFailure(StartFailure.Cause.NO_CAPACITY, "full"));
  }

  @Override
  protected void forbid() {
    fleet.refuse(Optional.of(new StartFailure(StartFailure.Cause.REFUSED, "forbidden")));
  }

  @Test
  void remembersWhatWasStartedForWhichSlot() {
    fleet.start(4, "one");
    fleet.start(2, "two");
    fleet.start(4, "one");

    assertEquals(List.of(4, 2), fleet.started());
    assertEquals(2, fleet.active());
  }

  @Test
  void answersNothingWhileItIsDown() {
    fleet.down(true);

    assertThrows(PortUnavailable.class, () -> fleet.start(0, "one"));
    assertThrows(PortUnavailable.class, () -> fleet.look(List.of("task-1")));
  }
}
