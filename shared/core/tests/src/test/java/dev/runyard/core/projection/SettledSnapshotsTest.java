package dev.runyard.core.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.memory.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettledSnapshotsTest {
  private static final RunKey RUN = new RunKey("default", "019c0000-0000-7000-8000-000000000000");

  @Test
  void asksOnceTheRunIsOldEnough() {
    SettableClock clock = new SettableClock(RUN.madeAt());
    List<StreamKey> asked = new ArrayList<>();
    SettledSnapshots snapshots =
        new SettledSnapshots(
            key -> {
              asked.add(key);
              return Optional.empty();
            },
            clock);

    snapshots.latest(RUN);
    assertEquals(List.of(), asked);

    clock.advance(Duration.ofMillis(SettledSnapshots.AGE_MILLIS_MIN));
    snapshots.latest(RUN);
    assertEquals(List.of(RUN), asked);
  }
}
