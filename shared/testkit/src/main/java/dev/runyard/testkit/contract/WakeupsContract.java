package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.wakeup.Wakeups;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// What every [Wakeups] promises.
public abstract class WakeupsContract {
  private static final int LOOKS_MAX = 1_000;

  protected abstract Wakeups wakeups();

  @Test
  void aRunnerThatNobodyWokeHasNoMark() {
    assertEquals(Optional.empty(), wakeups().last(runner()));
  }

  @Test
  void theNewestMarkReplacesTheOneBefore() {
    Wakeups wakeups = wakeups();
    String runner = runner();
    wakeups.send(runner, "first");
    assertEquals(Optional.of("first"), seen(wakeups, runner, "first"));
    wakeups.send(runner, "second");
    assertEquals(Optional.of("second"), seen(wakeups, runner, "second"));
  }

  @Test
  void runnersAreWokenApart() {
    Wakeups wakeups = wakeups();
    String one = runner();
    String other = runner();
    wakeups.send(one, "mark");
    assertEquals(Optional.of("mark"), seen(wakeups, one, "mark"));
    assertEquals(Optional.empty(), wakeups.last(other));
  }

  /// A look may be stale for a moment.
  private static Optional<String> seen(Wakeups wakeups, String runner, String mark) {
    Optional<String> last = Optional.empty();
    for (int i = 0; i < LOOKS_MAX && !last.equals(Optional.of(mark)); i++) {
      last = wakeups.last(runner);
    }
    return last;
  }

  private static String runner() {
    return "runner-" + UUID.randomUUID();
  }
}
