package dev.runyard.runner.isolation;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Calls of the kernel that change only the calling thread, where the C library's functions of
/// these names would change every thread of the process, and questions to it.
final class SystemCalls {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle SYSCALL = syscall();
  private static final MethodHandle TOLD_SYSCALL = syscall(Linker.Option.captureCallState("errno"));
  private static final MethodHandle KILL = kill();

  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
  private static final long SETRESUID = ARM ? 147 : 117;
  private static final long SETFSUID = ARM ? 151 : 122;
  private static final long GETPRIORITY = ARM ? 141 : 140;
  private static final long SETPRIORITY = ARM ? 140 : 141;
  private static final long GETSID = ARM ? 156 : 124;
  private static final long SCHED_SETSCHEDULER = ARM ? 119 : 144;
  private static final long SHMCTL = ARM ? 195 : 31;
  private static final long SEMCTL = ARM ? 191 : 66;
  private static final long MSGCTL = ARM ? 187 : 71;
  private static final long KEYCTL = ARM ? 219 : 250;

  private static final long OF_USER = 2;
  private static final int NO_SUCH_PROCESS = -3;
  private static final long IDLE = 5;
  private static final long RESET_ON_FORK = 0x4000_0000;
  private static final long REMOVE = 0;
  private static final long CLEAR = 7;
  private static final long INVALIDATE = 21;
  private static final long GET_PERSISTENT = 22;
  private static final long OWN_USER = -1;
  private static final long KEYS_OF_THE_THREAD = -1;

  /// What clearing a keyring says where nothing is in it: that was done, or the kernel keeps no
  /// keys, or lets nobody ask for them, or has no room to make the keyring.
  private static final Set<Integer> NO_KEYS = Set.of(0, -38, -1, -122);

  private SystemCalls() {}

  /// Sets the ids of the calling thread; false if the kernel refuses.
  static boolean users(int real, int effective, int saved) {
    try {
      return (long) SYSCALL.invokeExact(SETRESUID, (long) real, (long) effective, (long) saved)
          == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("setresuid(2) could not be called", e);
    }
  }

  /// Lets the calling thread make files, and pipes, that belong to this user.
  @SuppressWarnings("UnusedVariable")
  static void filesOf(int user) {
    try {
      long ignored = (long) SYSCALL.invokeExact(SETFSUID, (long) user, 0L, 0L);
    } catch (Throwable e) {
      throw new IllegalStateException("setfsuid(2) could not be called", e);
    }
  }

  /// Makes the calling thread, and what it starts, give way to others.
  @SuppressWarnings("UnusedVariable")
  static void giveWay(int nice) {
    try {
      long ignored = (long) SYSCALL.invokeExact(SETPRIORITY, 0L, 0L, (long) nice);
    } catch (Throwable e) {
      throw new IllegalStateException("setpriority(2) could not be called", e);
    }
  }

  /// Has a thread, and what it starts from now on, give way to those that do not, if the calling
  /// thread may decide that. Nobody without privileges takes it back.
  ///
  /// Reset on fork resets nothing of that; but it must be set for a thread that has set it itself,
  /// since nobody without privileges takes that back either.
  static void idle(int thread) {
    try (Arena arena = Arena.ofConfined()) {
      call(
          SCHED_SETSCHEDULER,
          thread,
          IDLE | RESET_ON_FORK,
          arena.allocateFrom(JAVA_INT, 0).address());
    }
  }

  /// Sends to every process that the calling thread may signal, but not to its own.
  @SuppressWarnings("UnusedVariable")
  static void signalAll(int signal) {
    try {
      int ignored = (int) KILL.invokeExact(-1, signal);
    } catch (Throwable e) {
      throw new IllegalStateException("kill(2) could not be called", e);
    }
  }

  /// Whether a process has this user as its real one, be it a dead process that nobody has waited
  /// for. True also where the kernel does not tell. None outruns that by forking: the kernel looks
  /// at new ones last.
  static boolean has(int user) {
    return told(GETPRIORITY, OF_USER, user, 0) != NO_SUCH_PROCESS;
  }

  /// The session of a process or thread, 0 being the calling one; negative if it is gone.
  static int session(int pid) {
    return told(GETSID, pid, 0, 0);
  }

  /// Removes System V memory, if the calling thread may.
  static void removeMemory(int id) {
    call(SHMCTL, id, REMOVE, 0);
  }

  /// Removes System V semaphores, if the calling thread may.
  static void removeSemaphores(int id) {
    call(SEMCTL, id, 0, REMOVE);
  }

  /// Removes a System V message queue, if the calling thread may.
  static void removeMessages(int id) {
    call(MSGCTL, id, REMOVE, 0);
  }

  /// Forgets the keys that the kernel keeps in a keyring of the calling thread's user. False if it
  /// refuses: an agent may take every right to such a keyring from its user, for good, but that to
  /// read what is in it.
  static boolean forgetKeys(int keyring) {
    return NO_KEYS.contains(keys(CLEAR, keyring, 0)) || keys(INVALIDATE, keyring, 0) == 0;
  }

  /// The keyring in which the kernel keeps keys for the calling thread's user for days, whether it
  /// has a process or not; it stays within reach while the thread lasts. Negative if there is none.
  static int lastingKeys() {
    return keys(GET_PERSISTENT, OWN_USER, KEYS_OF_THE_THREAD);
  }

  private static int keys(long operation, long a, long b) {
    return told(KEYCTL, operation, a, b);
  }

  /// The result of a call, or the negative error number.
  private static int told(long number, long a, long b, long c) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long result = (long) TOLD_SYSCALL.invokeExact(state, number, a, b, c);
      return (int) (result < 0 ? -(int) ERRNO.get(state, 0L) : result);
    } catch (Throwable e) {
      throw new IllegalStateException("a system call could not be made", e);
    }
  }

  @SuppressWarnings("UnusedVariable")
  private static void call(long number, long a, long b, long c) {
    try {
      long ignored = (long) SYSCALL.invokeExact(number, a, b, c);
    } catch (Throwable e) {
      throw new IllegalStateException("a system call could not be made", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle syscall(Linker.Option... more) {
    Linker linker = Linker.nativeLinker();
    List<Linker.Option> options = new ArrayList<>(List.of(more));
    options.add(Linker.Option.firstVariadicArg(1));
    return linker.downcallHandle(
        linker.defaultLookup().find("syscall").orElseThrow(),
        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        options.toArray(Linker.Option[]::new));
  }

  @SuppressWarnings("restricted")
  private static MethodHandle kill() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find("kill").orElseThrow(),
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  }
}
