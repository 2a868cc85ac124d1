package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Histories with other systems are worth playing: what their oracles ask about happens in them.
final class OtherSystemsTest {
  private static final int SEEDS = 1_000;

  @Test
  void tellsAndIsCalledThroughFaults() {
    OtherSystems.Tally all =
        LongStream.rangeClosed(1, SEEDS)
            .parallel()
            .filter(Simulation::integrated)
            .mapToObj(Simulation::tally)
            .reduce(OtherSystems.Tally.NONE, OtherSystems.Tally::plus);
    System.out.println("simulator: " + all);
    assertTrue(all.told() > 0, "nobody was told");
    assertTrue(all.repeated() > 0, "nobody was told twice");
    assertTrue(all.duplicates() > 0, "no message came twice");
    assertTrue(all.started() > 0, "no delivery to a hook was repeated");
    assertTrue(all.refused() > 0, "no delivery to a hook was to come again");
    assertTrue(all.opened() > 0, "no key opened");
    assertTrue(all.shut() > 0, "no revoked key was shown");
  }
}
