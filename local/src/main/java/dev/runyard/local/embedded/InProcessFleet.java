package dev.runyard.local.embedded;

import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.secret.SecretVault;
import dev.runyard.embedded.EmbeddedPorts;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.runner.RunnerPorts;
import dev.runyard.runner.Wiring;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Runners in this process, which are there at once; their agents are processes of their own. A
/// task is named by its slot and claim, so the same claim starts one runner however often it is
/// asked for. No runner outlives the process: tasks of an earlier one are missing.
final class InProcessFleet implements RunnerFleet, AutoCloseable {
  private static final int ENDED_KEPT_MAX = 1_000;

  private final EmbeddedPorts ports;
  private final Bucket bucket;
  private final SecretVault vault;
  private final RunnerPlace place;
  private final Leftovers leftovers;
  private final Map<String, RunnerTask> tasks = new LinkedHashMap<>();
  private boolean closed;

  /// @param vault what runners ask for secrets
  InProcessFleet(EmbeddedStore store, RunnerPlace place, Leftovers leftovers, SecretVault vault) {
    this.ports = new EmbeddedPorts(store, this);
    this.bucket = new Bucket(store.artifacts(), store.large());
    this.vault = vault;
    this.place = place;
    this.leftovers = leftovers;
  }

  /// The store, and this fleet.
  EmbeddedPorts ports() {
    return ports;
  }

  @Override
  public synchronized Start start(int slot, String claim) {
    if (closed) {
      throw new PortUnavailable("the stack is closing");
    }
    String name = slot + "-" + claim;
    if (!tasks.containsKey(name)) {
      forgetOldest();
      tasks.put(name, RunnerTask.start(name, task -> work(task, name, slot, claim)));
    }
    return new Start.Started(name);
  }

  private void work(RunnerTask task, String name, int slot, String claim) throws IOException {
    try (PrintStream log = place.log(name)) {
      task.work(
          Wiring.worker(
              place.variables(slot, claim),
              new RunnerPorts(ports, ports.store().notices(), bucket, vault),
              place.processes(),
              place.isolation(),
              log));
    }
  }

  private void forgetOldest() {
    List<String> ended =
        tasks.entrySet().stream()
            .filter(task -> task.getValue().hasEnded())
            .map(Map.Entry::getKey)
            .toList();
    if (ended.size() > ENDED_KEPT_MAX) {
      tasks.remove(ended.getFirst());
    }
  }

  @Override
  public synchronized Map<String, Fate> look(List<String> names) {
    Map<String, Fate> fates = new HashMap<>();
    for (String name : names) {
      RunnerTask task = tasks.get(name);
      fates.put(name, task == null ? new Fate.Missing() : task.fate());
    }
    return fates;
  }

  /// Asks every runner to stop and waits for them, as long as the template lets their container
  /// take to end its agents and to store how these ended: on a busy machine that is no faster than
  /// on AWS. What a runner that takes too long has started is ended anyway.
  @Override
  public void close() {
    List<RunnerTask> running;
    synchronized (this) {
      closed = true;
      running = tasks.values().stream().filter(task -> !task.hasEnded()).toList();
    }
    running.forEach(RunnerTask::stop);
    long end = System.nanoTime() + place.template().declaration().stopTimeout().toNanos();
    boolean all = true;
    try {
      for (RunnerTask task : running) {
        all &= task.awaitEnd(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      all = false;
    }
    if (!all) {
      leftovers.end();
    }
  }
}
