package dev.runyard.runner;

import dev.runyard.aws.Settings;
import dev.runyard.core.run.RunForm;
import dev.runyard.runner.isolation.IsolationRefused;
import dev.runyard.runner.log.RunnerLog;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// The runner's process: works until it is idle too long or told to stop, and leaves no agent
/// behind.
public final class Main {
  /// The process this runner belongs to if it does not run in its own container: when that process
  /// is gone, the runner exits too.
  public static final String PARENT_PID = "RUNYARD_PARENT_PID";

  /// The exit status of a runner that cannot give the isolation its operator requires.
  public static final int EXIT_ISOLATION = 78;

  /// The exit status of a runner whose release is older than that of the functions that started it.
  public static final int EXIT_OUTDATED = 79;

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    Map<String, String> env = System.getenv();
    RunnerLog log = new RunnerLog(System.out, InstantSource.system());
    int wanted = new Settings(env).form();
    if (wanted > RunForm.CURRENT) {
      log.info("outdated", Map.of("form", RunForm.CURRENT, "wanted", wanted));
      System.exit(EXIT_OUTDATED);
      return;
    }
    Worker worker;
    try {
      worker = Wiring.worker(env);
    } catch (IsolationRefused e) {
      log.info("isolation_refused", Map.of("reason", String.valueOf(e.getMessage())));
      System.exit(EXIT_ISOLATION);
      return;
    }
    Thread work = thread(worker);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker, work), "drain"));
    Optional.ofNullable(env.get(PARENT_PID))
        .map(Long::valueOf)
        .ifPresent(pid -> followParent(pid, log));
    work.start();
    work.join();
    System.exit(0);
  }

  /// A virtual thread, because only there does an interrupt end the read of a socket: a worker that
  /// is told to stop need not wait seconds for a receive. It is the runner's only one: virtual
  /// threads that load classes can keep each other from ever running again.
  static Thread thread(Worker worker) {
    return Thread.ofVirtual().name("worker").unstarted(worker::run);
  }

  static void stop(Worker worker, Thread work) {
    worker.drain();
    work.interrupt();
    try {
      work.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void followParent(long pid, RunnerLog log) {
    Optional<ProcessHandle> parent = ProcessHandle.of(pid);
    if (parent.isEmpty()) {
      System.exit(1);
      return;
    }
    Thread.ofPlatform()
        .daemon()
        .name("parent")
        .start(
            () -> {
              parent.get().onExit().join();
              log.info("parent_gone", Map.of("pid", pid));
              System.exit(1);
            });
  }
}
