package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A user that only the processes of one attempt have.
public record AgentUser(int uid) {
  /// The first of the users that attempts get. Below 100,000, where the ranges of rootless
  /// containers begin, and above all that distributions give to people and services.
  public static final int UID_FIRST = 66_000;

  /// How many there are.
  public static final int USERS_MAX = 1_000;

  /// A user nobody has. Whoever ends an attempt's processes is this one, so that they cannot end or
  /// suspend it first.
  public static final int NOBODY = UID_FIRST - 1;

  /// A user that no attempt gets, to try what such users may do: another stack's attempt of the
  /// same user would end the try with its own processes, and its stack would count it among them.
  static final AgentUser TRIED = new AgentUser(UID_FIRST - 2);

  /// How far agents give way to the runner, which has to see what they do. As far as possible: in a
  /// container each process counts for itself, and a hundred that never rest must leave the runner
  /// the time to notice and to end them.
  public static final int NICE = 19;

  private static final int KILL = 9;
  static final int ROOT = 0;

  public AgentUser {
    if (uid < UID_FIRST - 2 || uid == NOBODY || uid >= UID_FIRST + USERS_MAX) {
      throw new IllegalArgumentException("no user of attempts: " + uid);
    }
  }

  /// Kills every process this user has, in one step that no process can outrun by forking. It
  /// starts no process, so it works when there are as many as there may be.
  ///
  /// The kernel checks a thread's ids, not a process's: one thread becomes a user that may signal
  /// this one's processes and that these may not signal, and nothing else of the runner changes.
  public void killAll() {
    as(NOBODY, () -> SystemCalls.signalAll(KILL));
  }

  /// Whether this user has a process that is not dead.
  public boolean hasProcess() {
    return UserProcesses.any(uid);
  }

  /// Whether the kernel says that this user has no process, not even a dead one that nobody has
  /// waited for.
  public boolean isGone() {
    return !SystemCalls.has(uid);
  }

  /// Has threads of this user, and what they start, give way to other agents too. Those that are
  /// not this user's, or gone, stay as they are.
  void idle(Iterable<Integer> threads) {
    as(NOBODY, () -> threads.forEach(SystemCalls::idle));
  }

  /// Does work on a thread that is this user, which has no process any more.
  void as(Runnable work) {
    as(uid, work);
  }

  private void as(int real, Runnable work) {
    onOwnThread(
        () -> {
          if (!SystemCalls.users(real, uid, ROOT)) {
            throw new IllegalStateException("the runner may not become user " + uid);
          }
          try {
            work.run();
          } finally {
            SystemCalls.users(ROOT, ROOT, ROOT);
          }
        });
  }

  /// Starts a process that gives way to the runner: a process inherits that from the thread which
  /// starts it.
  ///
  /// The pipes to it belong to this user, or it could not open its own `/dev/stdout`. The program
  /// with which the JVM starts others is run with this user's rights, and has the runner's again
  /// from then on.
  public Process start(ProcessBuilder builder) throws IOException {
    return start(builder, NICE);
  }

  /// The same for a process that does something for the runner first, which waits for it, and gives
  /// way itself before it becomes the agent's.
  public Process startForRunner(ProcessBuilder builder) throws IOException {
    return start(builder, 0);
  }

  private Process start(ProcessBuilder builder, int nice) throws IOException {
    AtomicReference<@Nullable Process> process = new AtomicReference<>();
    AtomicReference<@Nullable IOException> refused = new AtomicReference<>();
    onOwnThread(
        () -> {
          if (nice > 0) {
            SystemCalls.giveWay(nice);
          }
          SystemCalls.filesOf(uid);
          try {
            process.set(builder.start());
          } catch (IOException e) {
            refused.set(e);
          }
        });
    IOException e = refused.get();
    if (e != null) {
      throw e;
    }
    Process started = Objects.requireNonNull(process.get());
    MemoryOrder.first(Path.of("/proc", Long.toString(started.pid())));
    return started;
  }

  /// True when this process may become another user and come back.
  static boolean canBecome() {
    AtomicReference<Boolean> could = new AtomicReference<>(false);
    onOwnThread(
        () -> {
          if (SystemCalls.users(NOBODY, UID_FIRST, ROOT)) {
            could.set(SystemCalls.users(ROOT, ROOT, ROOT));
          }
        });
    return could.get();
  }

  /// Gives a folder and all in it that is the runner's to this user, which has no process yet.
  /// Links are given, not followed.
  public void own(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Handover.to(this, folder);
    }
  }

  /// Gives a folder and all in it from this user, which has no process any more, to the runner's,
  /// and lets nobody else change what is in its folders. A name for a file of somebody else is
  /// removed: where the kernel lets everybody make such names, the next user that the folder is
  /// given to would get the file.
  void takeBack(Path folder) throws IOException {
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Handover.from(this, folder);
    }
  }

  /// A thread that ends with the work, so that no other work is ever done with its ids.
  private static void onOwnThread(Runnable work) {
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("agent-user")
            .uncaughtExceptionHandler((_, e) -> failed.set(e))
            .unstarted(work);
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable e = failed.get();
    if (e != null) {
      throw new IllegalStateException("not done as another user", e);
    }
  }
}
