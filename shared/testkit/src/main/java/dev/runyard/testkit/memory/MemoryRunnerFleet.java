package dev.runyard.testkit.memory;

import dev.runyard.core.fleet.RunnerFleet;
import java.util.ArrayList;
import java.util.List;

/// A fleet that only counts: its runners leave when they are told to.
public final class MemoryRunnerFleet implements RunnerFleet {
  private final List<Start> starts = new ArrayList<>();
  private int active;

  @Override
  public synchronized int active() {
    return active;
  }

  @Override
  public synchronized void start(int count, String token) {
    if (count < 1) {
      throw new IllegalArgumentException("at least one runner is started");
    }
    if (starts.stream().noneMatch(start -> start.token().equals(token))) {
      starts.add(new Start(count, token));
      active += count;
    }
  }

  /// `count` runners end.
  public synchronized void leave(int count) {
    if (count > active) {
      throw new IllegalArgumentException("only " + active + " runners are active");
    }
    active -= count;
  }

  /// The starts that had an effect, in order.
  public synchronized List<Start> starts() {
    return List.copyOf(starts);
  }

  /// One call that started runners.
  public record Start(int count, String token) {}
}
