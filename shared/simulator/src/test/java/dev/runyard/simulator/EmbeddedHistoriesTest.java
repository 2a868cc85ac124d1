package dev.runyard.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.quota.RunPlaces;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.embedded.StoreSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The simulated system on the store of one machine, with everything that may go wrong around it.
final class EmbeddedHistoriesTest {
  /// Histories of one run of the build; `-Drunyard.seeds=N` plays more.
  private static final int SEEDS = Integer.getInteger("runyard.seeds", 10);

  /// Longer than any history, so that nothing expires in it.
  private static final Duration RETENTION = Duration.ofDays(400);

  @TempDir private Path folder;

  @Test
  void holdTheirInvariants() {
    List<String> broken = new ArrayList<>();
    long events = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Simulation.Report report = play(seed);
      report.violations().forEach(violation -> broken.add(report.seed() + ": " + violation));
      events += report.events();
    }
    System.out.printf("simulator on the embedded store: %d seeds, %d events%n", SEEDS, events);
    assertEquals(List.of(), broken);
  }

  private Simulation.Report play(long seed) {
    List<EmbeddedStore> opened = new ArrayList<>();
    try {
      return Simulation.run(
          seed,
          clock -> {
            EmbeddedStore store = open(seed, clock);
            opened.add(store);
            return new SimulatedStorage(
                Optional.of(store.events()),
                store.models(),
                store.turns(),
                store.keys(),
                new RunPlaces.Counts(store.uses(), store.held()),
                store.slots());
          });
    } finally {
      opened.forEach(EmbeddedStore::close);
    }
  }

  private EmbeddedStore open(long seed, InstantSource clock) {
    return EmbeddedStore.open(
        new StoreSettings(folder.resolve(Long.toString(seed)), RETENTION, false),
        clock,
        new RandomIds(new Random(seed)));
  }
}
