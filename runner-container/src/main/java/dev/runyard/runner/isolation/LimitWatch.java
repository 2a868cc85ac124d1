package dev.runyard.runner.isolation;

import dev.runyard.core.problem.Failure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Looks at what running attempts take, for the limits that the kernel cannot hold or does not
/// report. One look is for all attempts of a runner; without attempts there is none. Thread-safe.
final class LimitWatch {
  /// Between two looks at processes and memory.
  static final int LOOK_MILLIS = 250;

  /// Between two looks at a disk, at least.
  static final int DISK_MILLIS_MIN = 1_000;

  /// Of the time between two looks at a disk, the look itself may take the part with this divisor.
  static final int DISK_PARTS = 20;

  private final AttemptLimits limits;
  private final Map<Integer, Watched> watched = new HashMap<>();
  private @Nullable Thread looking;

  LimitWatch(AttemptLimits limits) {
    this.limits = limits;
  }

  /// Begins to watch a user and its folders.
  Cell.Watching begin(AgentUser user, List<Path> folders, Consumer<Failure> reached) {
    Watched one = new Watched(reached);
    synchronized (this) {
      watched.put(user.uid(), one);
      if (looking == null) {
        looking = Thread.ofPlatform().daemon().name("limits").start(this::look);
      }
    }
    Cell.Watching disk = disk(folders, one);
    return () -> {
      disk.close();
      synchronized (this) {
        watched.remove(user.uid(), one);
      }
    };
  }

  /// Begins to watch only folders.
  Cell.Watching disk(List<Path> folders, Consumer<Failure> reached) {
    return disk(folders, new Watched(reached));
  }

  private Cell.Watching disk(List<Path> folders, Watched one) {
    Thread looks = Thread.ofPlatform().daemon().name("disk").start(() -> lookAtDisk(folders, one));
    return () -> {
      one.over.set(true);
      looks.interrupt();
    };
  }

  private void look() {
    NewSessions opened = new NewSessions();
    FailureRow failures = new FailureRow();
    while (true) {
      Map<Integer, Watched> now;
      synchronized (this) {
        if (watched.isEmpty()) {
          looking = null;
          return;
        }
        now = Map.copyOf(watched);
      }
      if (!looked(now, opened, failures)) {
        return;
      }
    }
  }

  /// No failure ends this watch: attempts would go on without their limits. Who takes all
  /// descriptors of the machine makes looks fail, so it tells once and looks again.
  private boolean looked(Map<Integer, Watched> now, NewSessions opened, FailureRow failures) {
    try {
      look(now);
      failures.end();
      return lookedAtSessions(opened);
    } catch (RuntimeException e) {
      if (failures.isFirst()) {
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler().uncaughtException(self, e);
      }
      return paused(LOOK_MILLIS);
    }
  }

  /// Until the next look at all processes, makes new sessions give way.
  private boolean lookedAtSessions(NewSessions opened) {
    if (!SessionGroups.there()) {
      return paused(LOOK_MILLIS);
    }
    long begin = System.nanoTime();
    while (Duration.ofNanos(System.nanoTime() - begin).toMillis() < LOOK_MILLIS) {
      if (!paused(NewSessions.LOOK_MILLIS)) {
        return false;
      }
      Set<Integer> users;
      synchronized (this) {
        users = Set.copyOf(watched.keySet());
      }
      opened.look(users).forEach(SessionGroups::giveWay);
    }
    return true;
  }

  private void look(Map<Integer, Watched> now) {
    UserProcesses.counted(now.keySet()).forEach((uid, count) -> of(now, uid).judge(count, limits));
    UserProcesses.taken(now.keySet(), MemoryOrder::first)
        .forEach(
            (uid, taken) -> {
              of(now, uid).judge(taken, limits);
              SessionGroups.giveWay(uid, taken.sessions());
            });
  }

  private void lookAtDisk(List<Path> folders, Watched one) {
    while (!one.over.get()) {
      long begin = System.nanoTime();
      DiskUse use = DiskUse.of(folders, limits.diskBytes(), limits.diskEntries());
      if (use.bytes() > limits.diskBytes()) {
        one.tell(LimitReached.disk(limits.diskBytes()));
      } else if (use.entries() > limits.diskEntries()) {
        one.tell(LimitReached.entries(limits.diskEntries()));
      }
      long took = Duration.ofNanos(System.nanoTime() - begin).toMillis();
      if (!paused(Math.max(DISK_MILLIS_MIN, took * DISK_PARTS))) {
        return;
      }
    }
  }

  private static Watched of(Map<Integer, Watched> watched, int uid) {
    return Objects.requireNonNull(watched.get(uid), "not watched");
  }

  private static boolean paused(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  /// One attempt. Only the first limit counts.
  private record Watched(Consumer<Failure> reached, AtomicBoolean over) {
    Watched(Consumer<Failure> reached) {
      this(reached, new AtomicBoolean());
    }

    /// Very many processes leave too little time to read each.
    void judge(int processes, AttemptLimits limits) {
      if (processes > limits.processes()) {
        tell(LimitReached.processes(limits.processes()));
      }
    }

    void judge(UserProcesses.Taken taken, AttemptLimits limits) {
      if (taken.residentBytes() > limits.memoryBytes()) {
        tell(LimitReached.memory(limits.memoryBytes()));
      } else if (taken.threads() > limits.processes()) {
        tell(LimitReached.processes(limits.processes()));
      }
    }

    void tell(Failure failure) {
      if (over.compareAndSet(false, true)) {
        reached.accept(failure);
      }
    }
  }
}
