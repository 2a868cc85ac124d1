package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecentStatesTest {
  private final List<StreamKey> asked = new ArrayList<>();
  private final RecentStates<String> states =
      new RecentStates<>(
          key -> {
            asked.add(key);
            return Optional.of("kept");
          });

  @Test
  void startsAtTheStateThatWasFoldedLast() {
    states.folded(run(1), "earlier");
    states.folded(run(1), "later");

    assertEquals(Optional.of("later"), states.latest(run(1)));
    assertEquals(List.of(), asked);
  }

  @Test
  void asksForStreamsItHasNotSeen() {
    states.folded(run(1), "seen");

    assertEquals(Optional.of("kept"), states.latest(run(2)));
    assertEquals(List.of(run(2)), asked);
  }

  @Test
  void forgetsTheStreamThatNobodyLookedAtForLongest() {
    for (int i = 0; i < Recent.ENTRIES_MAX; i++) {
      states.folded(run(i), "seen");
    }
    states.latest(run(0));
    states.folded(run(Recent.ENTRIES_MAX), "seen");

    assertEquals(Optional.of("seen"), states.latest(run(0)));
    assertEquals(Optional.of("kept"), states.latest(run(1)));
  }

  private static RunKey run(int number) {
    return new RunKey("default", "019c0000-%04x-7000-8000-000000000000".formatted(number));
  }
}
