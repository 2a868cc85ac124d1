package dev.runyard.runner.process;

import dev.runyard.runner.process.ProcessEntry.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// A process table and a clock in memory: processes react to signals as a test says, and time
/// passes when somebody waits.
final class ScriptedProcesses implements ProcessTable, Pacer {

  static final int RUNNER = 100;
  static final int RUNNER_SHELL = 50;
  static final String MARK = "run.1";

  private final Map<Integer, ProcessEntry> live = new TreeMap<>();
  private final List<String> sent = new ArrayList<>();
  private BiConsumer<Integer, Signal> reaction = (pid, signal) -> {};
  private Runnable afterSnapshot = () -> {};
  private Runnable beforeGroupSignal = () -> {};
  private long nanos;

  ScriptedProcesses() {
    add(RUNNER_SHELL, 1, RUNNER_SHELL, RUNNER_SHELL, "");
    add(RUNNER, RUNNER_SHELL, RUNNER, RUNNER_SHELL, "");
  }

  ProcessTree tree() {
    return new ProcessTree(this, this, MARK::equals);
  }

  void add(int pid, int parent, int group, int session, String mark) {
    live.put(pid, new ProcessEntry(pid, parent, group, session, pid, State.RUNNING, mark));
  }

  void replace(ProcessEntry entry) {
    live.put(entry.pid(), entry);
  }

  void remove(int pid) {
    live.remove(pid);
  }

  /// What processes do on a signal; by default nothing.
  void react(BiConsumer<Integer, Signal> reaction) {
    this.reaction = reaction;
  }

  void dieOn(Signal fatal) {
    react(
        (pid, signal) -> {
          if (signal == fatal) {
            remove(pid);
          }
        });
  }

  /// Runs once, right after the next snapshot of the table.
  void afterNextSnapshot(Runnable happening) {
    afterSnapshot = happening;
  }

  /// Runs once, right before the next signal to a group.
  void beforeNextGroupSignal(Runnable happening) {
    beforeGroupSignal = happening;
  }

  /// Each signal as `TERM 7`, to a group as `TERM -7`.
  List<String> sent() {
    return List.copyOf(sent);
  }

  Duration elapsed() {
    return Duration.ofNanos(nanos);
  }

  @Override
  public List<ProcessEntry> snapshot(long marksSinceTicks) {
    List<ProcessEntry> entries = List.copyOf(live.values());
    Runnable happening = afterSnapshot;
    afterSnapshot = () -> {};
    happening.run();
    return entries;
  }

  @Override
  public Optional<ProcessEntry> find(int pid) {
    return Optional.ofNullable(live.get(pid));
  }

  @Override
  public int self() {
    return RUNNER;
  }

  @Override
  public void signal(int pid, Signal signal) {
    sent.add(signal + " " + pid);
    reaction.accept(pid, signal);
  }

  @Override
  public void signalGroup(int group, Signal signal) {
    Runnable happening = beforeGroupSignal;
    beforeGroupSignal = () -> {};
    happening.run();
    sent.add(signal + " -" + group);
    List.copyOf(live.values()).stream()
        .filter(entry -> entry.group() == group)
        .forEach(entry -> reaction.accept(entry.pid(), signal));
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public void pause(Duration length) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    nanos += length.toNanos();
  }
}
