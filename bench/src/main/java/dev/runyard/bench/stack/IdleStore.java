package dev.runyard.bench.stack;

import dev.runyard.core.application.Ports;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.embedded.ChangeFeed;
import dev.runyard.embedded.ChangeFilter;
import dev.runyard.embedded.EmbeddedPorts;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.embedded.StoreSettings;
import dev.runyard.embedded.StreamChange;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/// The store of a data folder while no stack works on it: filled or read through the ports that a
/// stack uses, as fast as it goes; nothing is synced.
public final class IdleStore {
  private static final Duration RETENTION = Duration.ofDays(30);

  /// Who follows the changes of a store: functions of the template.
  private static final List<String> CONSUMERS = List.of("ProjectFunction", "AdvanceFunction");

  private IdleStore() {}

  /// Uses it. What is changed is nothing that a stack still has to look at.
  public static void with(Path folder, Consumer<Ports> use) {
    InstantSource clock = InstantSource.system();
    StoreSettings settings = new StoreSettings(folder, RETENTION, false);
    try (EmbeddedStore store = EmbeddedStore.open(settings, clock, new RandomIds(new Random(2)))) {
      use.accept(new EmbeddedPorts(store, new MemoryRunnerFleet()));
      CONSUMERS.forEach(consumer -> follow(store.changes(), consumer));
    }
  }

  private static void follow(ChangeFeed feed, String consumer) {
    List<StreamChange> changes = feed.after(0, ChangeFilter.STATE, ChangeFeed.READ_CHANGES_MAX);
    while (!changes.isEmpty()) {
      long last = changes.getLast().position();
      feed.keep(consumer, last);
      changes = feed.after(last, ChangeFilter.STATE, ChangeFeed.READ_CHANGES_MAX);
    }
  }
}
