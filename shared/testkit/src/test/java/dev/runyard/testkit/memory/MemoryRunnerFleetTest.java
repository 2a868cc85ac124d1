package dev.runyard.testkit.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.testkit.contract.RunnerFleetContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryRunnerFleetTest extends RunnerFleetContract {
  private final MemoryRunnerFleet fleet = new MemoryRunnerFleet();

  @Override
  protected RunnerFleet fleet() {
    return fleet;
  }

  @Override
  protected void leave(int count) {
    fleet.leave(count);
  }

  @Test
  void remembersTheStartsThatHadAnEffect() {
    fleet.start(2, "one");
    fleet.start(2, "one");
    fleet.start(1, "two");

    assertEquals(
        List.of(new MemoryRunnerFleet.Start(2, "one"), new MemoryRunnerFleet.Start(1, "two")),
        fleet.starts());
    assertThrows(IllegalArgumentException.class, () -> fleet.leave(4));
  }
}
