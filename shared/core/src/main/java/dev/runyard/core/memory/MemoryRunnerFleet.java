package dev.runyard.core.memory;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.problem.PortUnavailable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A fleet that only counts: its runners do nothing, and stop when told to.
public final class MemoryRunnerFleet implements RunnerFleet {
  private static final Fate ALIVE = new Fate.Alive();
  private final Map<String, String> taskByClaim = new LinkedHashMap<>();
  private final Map<String, Integer> slotByTask = new LinkedHashMap<>();
  private final Map<String, Fate> fates = new HashMap<>();
  private Optional<StartFailure> refusal = Optional.empty();
  private Optional<StartFailure> full = Optional.empty();
  private boolean down;

  @Override
  public synchronized Start start(int slot, String claim) {
    requireUp();
    if (refusal.isPresent()) {
      return new Start.Refused(refusal.get(), false);
    }
    if (full.isPresent() && !taskByClaim.containsKey(claim)) {
      return new Start.Refused(full.get(), true);
    }
    String task = taskByClaim.computeIfAbsent(claim, _ -> "task-" + (slotByTask.size() + 1));
    slotByTask.put(task, slot);
    fates.putIfAbsent(task, ALIVE);
    return new Start.Started(task);
  }

  @Override
  public synchronized Map<String, Fate> look(List<String> tasks) {
    requireUp();
    Map<String, Fate> known = new HashMap<>();
    tasks.forEach(task -> known.put(task, fates.getOrDefault(task, new Fate.Missing())));
    return known;
  }

  private void requireUp() {
    if (down) {
      throw new PortUnavailable("no answer");
    }
  }

  /// Refuses every start from now on, with `why`, without a look at what was started; none where it
  /// is empty.
  public synchronized void refuse(Optional<StartFailure> why) {
    refusal = why;
  }

  /// Has no place from now on for what was not started before, and says `why`.
  public synchronized void fill(StartFailure why) {
    full = Optional.of(why);
  }

  /// Answers nothing while it is down.
  public synchronized void down(boolean now) {
    down = now;
  }

  /// A task ends by itself.
  public synchronized void stop(String task, StartFailure why) {
    fates.put(task, new Fate.Stopped(why));
  }

  /// A task is not known any more.
  public synchronized void forget(String task) {
    fates.remove(task);
    taskByClaim.values().remove(task);
  }

  /// The tasks that were started, in order.
  public synchronized List<String> tasks() {
    return List.copyOf(slotByTask.keySet());
  }

  /// The slots the tasks were started for, in order.
  public synchronized List<Integer> started() {
    return List.copyOf(slotByTask.values());
  }

  /// Tasks that live.
  public synchronized int active() {
    return (int) fates.values().stream().filter(ALIVE::equals).count();
  }
}
