package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The arguments that make a program run as another user and within limits. Limits come first,
/// because a user may not change those of another.
///
/// @param prlimit sets limits, then becomes the rest
/// @param setpriv changes the user and gives up every right, then becomes the rest
/// @param env enters a folder or gives variables, then becomes the rest
record UserCommands(Path prlimit, Path setpriv, Path env, AttemptLimits limits, HardLimits hard) {
  /// POSIX message queues are there even where no folder shows them, and outlive their processes.
  private static final String NO_MESSAGE_QUEUES = "--msgqueue=0:0";

  /// Too little for a file. With less, the kernel still gives what a process had in memory to the
  /// program that a machine may have for that (`core(5)`); this one number keeps it from doing so.
  private static final int NO_CORE = 1;

  /// Nobody takes back that it gives way (`setpriority(2)`, `sched(7)`).
  private static final String NO_PRIORITY = "--nice=0:0";

  private static final int ROOM_PARTS = 4;

  /// Finds the programs.
  static Optional<UserCommands> find(AttemptLimits limits) {
    Optional<Path> prlimit = program("prlimit");
    Optional<Path> setpriv = program("setpriv");
    Optional<Path> env = program("env");
    return prlimit.isEmpty() || setpriv.isEmpty() || env.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new UserCommands(
                prlimit.get(), setpriv.get(), env.get(), limits, HardLimits.ofThisProcess()));
  }

  /// Those of a program that starts in a folder. It is entered by whoever has become the user,
  /// since a path in a workspace leads where an agent wants it to: the kernel lets nobody enter by
  /// it what the agent could not enter anyway.
  List<String> in(Path folder, AgentUser user) {
    List<String> argv = new ArrayList<>(as(user));
    argv.addAll(List.of(env.toString(), "--chdir=" + folder));
    return argv;
  }

  LateVariables late() {
    return new LateVariables(env);
  }

  List<String> as(AgentUser user) {
    List<String> argv = new ArrayList<>(bounded(prlimit, limits, hard));
    argv.add(limit("nproc", hard.processes(), limits.processes() + roomAbove(limits)));
    argv.addAll(
        List.of(
            setpriv.toString(),
            "--reuid=" + user.uid(),
            "--regid=" + user.uid(),
            "--clear-groups",
            "--no-new-privs",
            "--bounding-set=-all",
            "--inh-caps=-all"));
    return argv;
  }

  /// The kernel refuses a process only above the limit, so that whoever reaches it can be seen.
  private static int roomAbove(AttemptLimits limits) {
    return limits.processes() / ROOM_PARTS + 1;
  }

  /// The limits that do not depend on who else the user is.
  static List<String> bounded(Path prlimit, AttemptLimits limits, HardLimits hard) {
    return List.of(
        prlimit.toString(),
        limit("core", hard.core(), NO_CORE),
        NO_MESSAGE_QUEUES,
        NO_PRIORITY,
        limit("data", hard.data(), limits.dataBytes()),
        limit("nofile", hard.openFiles(), limits.openFiles()),
        limit("fsize", hard.file(), limits.fileBytes()));
  }

  static List<String> memoryBounded(Path prlimit, long bytes) {
    return List.of(prlimit.toString(), limit("data", HardLimits.ofThisProcess().data(), bytes));
  }

  private static String limit(String name, long hard, long wanted) {
    long bound = Math.min(hard, wanted);
    return "--" + name + "=" + bound + ":" + bound;
  }

  static Optional<Path> program(String name) {
    return List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin").stream()
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// What the runner itself may take at most, which nothing it starts can exceed.
  record HardLimits(long core, long processes, long data, long openFiles, long file) {
    private static final int HARD = 1;

    static HardLimits ofThisProcess() {
      List<String> lines;
      try {
        lines = Files.readAllLines(Path.of("/proc/self/limits"));
      } catch (IOException e) {
        throw new IllegalStateException("the runner's own limits cannot be read", e);
      }
      return new HardLimits(
          of(lines, "Max core file size"),
          of(lines, "Max processes"),
          of(lines, "Max data size"),
          of(lines, "Max open files"),
          of(lines, "Max file size"));
    }

    private static long of(List<String> lines, String name) {
      return lines.stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).strip().split(" +", -1)[HARD])
          .filter(value -> !value.equals("unlimited"))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(Long.MAX_VALUE);
    }
  }
}
