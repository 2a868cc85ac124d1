package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.stream.StreamState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecentStatesTest {
  private static final At KEPT = new At(5, false);
  private static final Duration FRESH = Duration.ofSeconds(RecentStates.FRESH_SECONDS_MAX);

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final List<StreamKey> asked = new ArrayList<>();
  private final RecentStates<At> states =
      new RecentStates<>(
          key -> {
            asked.add(key);
            return Optional.of(KEPT);
          },
          clock);

  @Test
  void startsAtTheStateThatWasFoldedLast() {
    states.folded(run(1), new At(1, false));
    states.folded(run(1), new At(2, false));
    clock.advance(FRESH.minusMillis(1));

    assertEquals(Optional.of(new At(2, false)), states.latest(run(1)));
    assertEquals(List.of(), asked);
  }

  @Test
  void asksForStreamsItHasNotSeen() {
    states.folded(run(1), new At(1, false));

    assertEquals(Optional.of(KEPT), states.latest(run(2)));
    assertEquals(List.of(run(2)), asked);
  }

  @Test
  void startsAtTheKeptStateIfThatIsNewerThanAnOldOne() {
    states.folded(run(1), new At(4, false));
    states.folded(run(2), new At(6, false));
    clock.advance(FRESH);

    assertEquals(Optional.of(KEPT), states.latest(run(1)));
    assertEquals(Optional.of(new At(6, false)), states.latest(run(2)));
  }

  @Test
  void asksNobodyForTheEndOfAStream() {
    states.folded(run(1), new At(4, true));
    clock.advance(FRESH);

    assertEquals(Optional.of(new At(4, true)), states.latest(run(1)));
    assertEquals(List.of(), asked);
  }

  @Test
  void forgetsTheStreamThatNobodyLookedAtForLongest() {
    At seen = new At(1, false);
    for (int i = 0; i < Recent.ENTRIES_MAX; i++) {
      states.folded(run(i), seen);
    }
    states.latest(run(0));
    states.folded(run(Recent.ENTRIES_MAX), seen);

    assertEquals(Optional.of(seen), states.latest(run(0)));
    assertEquals(Optional.of(KEPT), states.latest(run(1)));
  }

  private static RunKey run(int number) {
    return new RunKey("default", "019c0000-%04x-7000-8000-000000000000".formatted(number));
  }

  private record At(long sequence, boolean closed) implements StreamState {
    @Override
    public String phase() {
      return closed ? "completed" : "running";
    }
  }
}
