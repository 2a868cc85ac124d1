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

  /// Between two looks at what cannot wait for the next look at processes.
  static final int NEWS_MILLIS = 10;

  /// Between two looks at a disk, at least.
  static final int DISK_MILLIS_MIN = 1_000;

  /// The same at most, however long a look takes: nobody knows what is written between two.
  static final int DISK_MILLIS_MAX = 15_000;

  /// Of the time between two looks at a disk, the look itself may take the part with this divisor,
  /// unless that is longer than the longest.
  static final int DISK_PARTS = 20;

  /// So many new threads are always waited for before a look comes early, as a part of the limit.
  private static final int ROOM_PARTS = 8;

  /// Of the time until an early look, the look before it may have taken the part with this divisor.
  private static final int EARLY_PARTS = 4;

  private final AttemptLimits limits;
  private final Map<Integer, Watched> watched = new HashMap<>();
  private @Nullable Thread looking;

  LimitWatch(AttemptLimits limits) {
    this.limits = limits;
  }

  /// Begins to watch a user, its folders, and what it has where every user may write. All it has is
  /// killed once a limit is told.
  Cell.Watching begin(AgentUser user, List<Path> folders, Consumer<Failure> reached) {
    Watched one = new Watched(user, reached);
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

  private void tell(Watched one, Failure failure) {
    one.tell(failure);
    kill(one);
  }

  /// Unless it is not watched any more, after which somebody else may be this user.
  private synchronized void kill(Watched one) {
    AgentUser user = one.user();
    if (user != null && one.equals(watched.get(user.uid()))) {
      user.killAll();
    }
  }

  /// Begins to watch only folders.
  Cell.Watching disk(List<Path> folders, Consumer<Failure> reached) {
    return disk(folders, new Watched(null, reached));
  }

  private Cell.Watching disk(List<Path> folders, Watched one) {
    Thread looks = Thread.ofPlatform().daemon().name("disk").start(() -> lookAtDisk(folders, one));
    return () -> {
      one.over.set(true);
      looks.interrupt();
    };
  }

  private void look() {
    News news = new News();
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
      if (!looked(now, news, failures)) {
        return;
      }
    }
  }

  /// No failure ends this watch: attempts would go on without their limits. Who takes all
  /// descriptors of the machine, or all threads, which is an error, makes looks fail, so it tells
  /// once and looks again.
  private boolean looked(Map<Integer, Watched> now, News news, FailureRow failures) {
    try {
      long begin = System.nanoTime();
      boolean whole = news.isWholeLookDue();
      news.looked(look(now, whole), whole, System.nanoTime() - begin);
      boolean on = lookedAtNews(news);
      failures.end();
      return on;
    } catch (RuntimeException | Error e) {
      tellOnce(failures, e);
      return paused(LOOK_MILLIS);
    }
  }

  /// Until the next whole look, or an early one when there are so many new threads that an attempt
  /// may have too many.
  private boolean lookedAtNews(News news) {
    while (!news.mayBeTooMany() && !news.isWholeLookDue()) {
      if (!paused(NEWS_MILLIS)) {
        return false;
      }
      Set<Integer> users;
      synchronized (this) {
        users = Set.copyOf(watched.keySet());
      }
      news.look(users);
    }
    return true;
  }

  /// Who has reached a limit is only counted: to read each of its processes would take more of the
  /// processors than to end them.
  ///
  /// @param whole whether to look at what they take too, not only at how many they are
  /// @return how many threads more there may be before the next look, which must not follow at once
  private int look(Map<Integer, Watched> now, boolean whole) {
    Map<Integer, List<UserProcesses.Owned>> all = UserProcesses.of(now.keySet());
    all.forEach((uid, owned) -> judge(of(now, uid), UserProcesses.threads(owned)));
    all.keySet().removeIf(uid -> of(now, uid).over.get());
    if (whole) {
      all.forEach(
          (uid, owned) -> {
            UserProcesses.Taken taken = UserProcesses.taken(owned, MemoryOrder::first);
            judge(of(now, uid), taken);
            SessionGroups.giveWay(uid, taken.sessions());
          });
    }
    int most = all.values().stream().mapToInt(UserProcesses::threads).max().orElse(0);
    return Math.max(limits.processes() / ROOM_PARTS, limits.processes() - most);
  }

  private void lookAtDisk(List<Path> folders, Watched one) {
    FailureRow failures = new FailureRow();
    while (!one.over.get()) {
      long begin = System.nanoTime();
      judgeDisk(folders, one, failures);
      long took = Duration.ofNanos(System.nanoTime() - begin).toMillis();
      if (!paused(diskMillis(took))) {
        return;
      }
    }
  }

  /// Nor does any failure end this one.
  private void judgeDisk(List<Path> folders, Watched one, FailureRow failures) {
    try {
      DiskUse use = use(folders, one.user());
      if (use.bytes() > limits.diskBytes()) {
        tell(one, LimitReached.disk(limits.diskBytes()));
      } else if (use.entries() > limits.diskEntries()) {
        tell(one, LimitReached.entries(limits.diskEntries()));
      }
      failures.end();
    } catch (RuntimeException | Error e) {
      tellOnce(failures, e);
    }
  }

  private static void tellOnce(FailureRow failures, Throwable e) {
    if (failures.isFirst()) {
      Thread self = Thread.currentThread();
      self.getUncaughtExceptionHandler().uncaughtException(self, e);
    }
  }

  /// How long the next look at a disk waits after one that took so long.
  static long diskMillis(long tookMillis) {
    return Math.clamp(tookMillis * DISK_PARTS, DISK_MILLIS_MIN, DISK_MILLIS_MAX);
  }

  private DiskUse use(List<Path> folders, @Nullable AgentUser user) {
    DiskBounds bounds = DiskBounds.of(limits.diskBytes(), limits.diskEntries());
    DiskUse own = DiskUse.of(folders, bounds);
    return user == null ? own : SharedUse.add(own, user.uid(), SharedRemains.HERE, bounds);
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

  /// Very many processes leave too little time to read each. Whom a kill has not ended is killed
  /// again.
  private void judge(Watched one, int threads) {
    if (one.told.get()) {
      kill(one);
    } else if (threads > limits.processes()) {
      tell(one, LimitReached.processes(limits.processes()));
    }
  }

  private void judge(Watched one, UserProcesses.Taken taken) {
    if (taken.residentBytes() > limits.memoryBytes()) {
      tell(one, LimitReached.memory(limits.memoryBytes()));
    }
  }

  /// One attempt. Only the first limit counts.
  ///
  /// @param user whom to kill; null where that is left to whoever is told
  private record Watched(
      @Nullable AgentUser user, Consumer<Failure> reached, AtomicBoolean over, AtomicBoolean told) {
    Watched(@Nullable AgentUser user, Consumer<Failure> reached) {
      this(user, reached, new AtomicBoolean(), new AtomicBoolean());
    }

    void tell(Failure failure) {
      if (over.compareAndSet(false, true)) {
        reached.accept(failure);
        told.set(true);
      }
    }
  }

  /// What has begun since the last look: sessions and crowds.
  private static final class News {
    private final Crowds crowds = new Crowds(Runtime.getRuntime().availableProcessors());
    private @Nullable NewSessions sessions;
    private Load load = new Load(0, 0, 0);
    private int threadsMax;
    private long early;
    private long nextWhole = System.nanoTime();

    /// A look has ended.
    ///
    /// @param room threads that the machine may have more before an attempt can have too many
    /// @param isWhole whether it was a whole one
    /// @param tookNanos the look
    void looked(int room, boolean isWhole, long tookNanos) {
      long now = System.nanoTime();
      load = Load.now(load);
      threadsMax = load.threads() + room;
      early = now + tookNanos * (EARLY_PARTS - 1);
      nextWhole = isWhole ? now + Duration.ofMillis(LOOK_MILLIS).toNanos() : nextWhole;
      if (sessions == null && SessionGroups.there()) {
        sessions = new NewSessions(load.newest());
      }
    }

    /// Early looks, however many, do not put it off.
    boolean isWholeLookDue() {
      return System.nanoTime() - nextWhole >= 0;
    }

    boolean mayBeTooMany() {
      return load.threads() > threadsMax && System.nanoTime() - early >= 0;
    }

    void look(Set<Integer> users) {
      load = Load.now(load);
      if (sessions != null) {
        sessions.look(users, load.newest()).forEach(SessionGroups::giveWay);
      }
      crowds.look(users, load.running());
    }
  }
}
