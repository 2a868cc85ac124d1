package dev.runyard.local.embedded;

import dev.runyard.core.fleet.RunnerFleet.Fate;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.local.threads.StackThreads;
import dev.runyard.runner.Worker;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One runner in this process, from its start to its end. Whatever ends it, it ends nothing else.
final class RunnerTask {
  private static final Logger LOG = System.getLogger(RunnerTask.class.getName());

  /// Makes the worker, and gives it to whoever lets it work.
  interface Start {
    void run(RunnerTask task) throws IOException;
  }

  private final String name;
  private final Thread thread;
  private @Nullable Worker worker;
  private boolean stopping;
  private volatile String end = "it left";

  private RunnerTask(String name, Start start) {
    this.name = name;
    this.thread = StackThreads.unstarted("runner-" + name, () -> work(start));
  }

  static RunnerTask start(String name, Start start) {
    RunnerTask task = new RunnerTask(name, start);
    task.thread.start();
    return task;
  }

  private void work(Start start) {
    try {
      start.run(this);
    } catch (IOException | RuntimeException | Error e) {
      end = e.toString();
      LOG.log(Level.WARNING, "runner " + name + " broke", e);
    }
  }

  /// Lets a worker work until it leaves.
  void work(Worker made) {
    synchronized (this) {
      worker = made;
      if (stopping) {
        made.drain();
      }
    }
    made.run();
  }

  /// Asks it to end its agents and to leave.
  void stop() {
    synchronized (this) {
      stopping = true;
      if (worker != null) {
        worker.drain();
      }
    }
    thread.interrupt();
  }

  /// False when it has not left after so long.
  boolean awaitEnd(Duration longest) throws InterruptedException {
    return thread.join(longest);
  }

  boolean hasEnded() {
    return !thread.isAlive();
  }

  Fate fate() {
    return hasEnded()
        ? new Fate.Stopped(new StartFailure(StartFailure.Cause.STOPPED, end))
        : new Fate.Alive();
  }
}
