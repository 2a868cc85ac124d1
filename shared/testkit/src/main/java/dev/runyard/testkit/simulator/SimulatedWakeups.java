package dev.runyard.testkit.simulator;

import dev.runyard.core.wakeup.Wakeups;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Wake-ups of which every third look shows the one before.
final class SimulatedWakeups implements Wakeups {
  private static final int STALE_LOOK = 3;

  private final Map<String, Marks> runners = new HashMap<>();
  private long looks;

  private record Marks(String last, @Nullable String before) {}

  @Override
  public void send(String runner, String mark) {
    Marks there = runners.get(runner);
    runners.put(runner, new Marks(mark, there == null ? null : there.last()));
  }

  @Override
  public Optional<String> last(String runner) {
    Marks there = runners.get(runner);
    boolean stale = ++looks % STALE_LOOK == 0;
    return there == null
        ? Optional.empty()
        : Optional.ofNullable(stale ? there.before() : there.last());
  }
}
