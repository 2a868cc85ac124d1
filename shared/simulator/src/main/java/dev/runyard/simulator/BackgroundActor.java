package dev.runyard.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// What a runner does beside its attempts because it may take long, such as asking the bucket.
final class BackgroundActor implements Actor {
  private final RunnerActor runner;
  private final SimulatedSystem system;
  private final SimulatedCaller caller;
  private final List<Task> tasks = new ArrayList<>();

  BackgroundActor(RunnerActor runner, SimulatedSystem system) {
    this.runner = runner;
    this.system = system;
    this.caller = new SimulatedCaller(runner.network());
  }

  /// Something to do for an attempt.
  private record Task(SimulatedCaller attempt, Instant at, Runnable work) {}

  /// Begins work that is done after a while, unless its attempt is gone by then.
  <T> Future<T> begin(SimulatedCaller attempt, Duration after, Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    tasks.add(new Task(attempt, system.now().plus(after), () -> result.complete(work.get())));
    return result;
  }

  void stall(Duration duration) {
    runner.stall(duration);
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    if (tasks.isEmpty()) {
      return Instant.MAX;
    }
    Instant due = next().at();
    return due.isBefore(runner.awakeAt()) ? runner.awakeAt() : due;
  }

  @Override
  public void act() {
    Task task = next();
    tasks.remove(task);
    if (!task.attempt().gone()) {
      task.work().run();
    }
  }

  private Task next() {
    return tasks.stream().min(Comparator.comparing(Task::at)).orElseThrow();
  }

  @Override
  public void crashed() {
    if (!caller.gone()) {
      runner.crashed();
    }
  }
}
