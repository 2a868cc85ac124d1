package dev.runyard.runner.isolation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the users of attempts have on this machine, found by the owner of each process: unlike its
/// environment, session and parent, that is nothing a process can change.
final class UserProcesses {
  /// The user of a process that is gone.
  static final int GONE = -1;

  private static final Path PROC = Path.of("/proc");
  private static final long PAGE_BYTES = 4_096;

  // Fields of /proc/<pid>/stat counted from the state, which follows the command's name.
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int THREADS = 17;
  private static final int RESIDENT_PAGES = 21;
  private static final int POLICY = 38;

  private static final String IDLE = "5";

  /// What one user's processes take.
  ///
  /// @param threads of all processes
  /// @param residentBytes the sum of what each has in memory; shared pages count once for each
  /// @param sessions one process of each session, by the session's id
  record Taken(int threads, long residentBytes, Map<Integer, Integer> sessions) {
    static final Taken NOTHING = new Taken(0, 0, Map.of());

    Taken plus(Taken other) {
      Map<Integer, Integer> all = new HashMap<>(sessions);
      all.putAll(other.sessions);
      return new Taken(threads + other.threads, residentBytes + other.residentBytes, all);
    }
  }

  /// A thread that has a processor or wants one.
  ///
  /// @param parent of its process
  /// @param idle whether it gives way to all that are not
  record Running(int thread, int parent, boolean idle) {}

  private UserProcesses() {}

  /// True when the user has a process that is not yet dead.
  static boolean any(int uid) {
    return pids().stream()
        .map(PROC::resolve)
        .anyMatch(process -> owner(process) == uid && read(process).threads() > 0);
  }

  /// How many processes each of these users has, the dead among them.
  static Map<Integer, Integer> counted(Set<Integer> uids) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (String pid : pids()) {
      int owner = owner(PROC.resolve(pid));
      if (uids.contains(owner)) {
        counts.merge(owner, 1, Integer::sum);
      }
    }
    return counts;
  }

  /// What each of these users takes; those without a process are left out.
  static Map<Integer, Taken> taken(Set<Integer> uids) {
    return taken(uids, _ -> {});
  }

  /// What each of these users takes; those without a process are left out.
  ///
  /// @param visit is given the folder of each of their processes
  static Map<Integer, Taken> taken(Set<Integer> uids, Consumer<Path> visit) {
    Map<Integer, Taken> taken = new HashMap<>();
    for (String pid : pids()) {
      Path process = PROC.resolve(pid);
      int owner = owner(process);
      if (uids.contains(owner)) {
        visit.accept(process);
        Taken one = read(process);
        if (one.threads() > 0) {
          taken.merge(owner, one, Taken::plus);
        }
      }
    }
    return taken;
  }

  /// The threads of each of these users that have a processor or want one; users without are left
  /// out.
  static Map<Integer, List<Running>> running(Set<Integer> uids) {
    Map<Integer, List<Running>> running = new HashMap<>();
    for (String pid : pids()) {
      Path process = PROC.resolve(pid);
      int owner = owner(process);
      if (uids.contains(owner)) {
        List<Running> all = running.computeIfAbsent(owner, _ -> new ArrayList<>());
        for (String thread : numbers(process.resolve("task").toFile())) {
          addRunning(process.resolve("task").resolve(thread), all);
        }
      }
    }
    running.values().removeIf(List::isEmpty);
    return running;
  }

  private static void addRunning(Path thread, List<Running> all) {
    try {
      String[] fields = stat(thread);
      if (fields.length > 0 && fields[STATE].equals("R")) {
        int number = Integer.parseInt(thread.getFileName().toString());
        int parent = Integer.parseInt(fields[PARENT]);
        all.add(new Running(number, parent, fields[POLICY].equals(IDLE)));
      }
    } catch (IOException _) {
      return;
    }
  }

  private static Set<String> pids() {
    Set<String> pids = numbers(PROC.toFile());
    if (pids.isEmpty()) {
      throw new IllegalStateException("the process table cannot be read");
    }
    return pids;
  }

  /// The names of a folder that are numbers; none when the folder is gone.
  private static Set<String> numbers(File folder) {
    String[] names = folder.list();
    return names == null
        ? Set.of()
        : Stream.of(names)
            .filter(name -> Character.isDigit(name.charAt(0)))
            .collect(Collectors.toSet());
  }

  /// The user of a process; [#GONE] when it is gone.
  static int owner(Path process) {
    try {
      return (int) Files.getAttribute(process, "unix:uid");
    } catch (IOException _) {
      return GONE;
    }
  }

  /// The user of a process; [#GONE] when it is gone.
  static int owner(int pid) {
    return owner(PROC.resolve(Integer.toString(pid)));
  }

  /// What one process takes; nothing when it is gone.
  static Taken taken(int pid) {
    return read(PROC.resolve(Integer.toString(pid)));
  }

  /// The session of a process, which is there.
  static int session(String process) {
    try {
      return Integer.parseInt(stat(PROC.resolve(process))[SESSION]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The fields from the state on; none while the process ends.
  private static String[] stat(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
    int nameEnd = stat.lastIndexOf(')');
    return nameEnd < 0 ? new String[0] : stat.substring(nameEnd + 2).split(" ", POLICY + 2);
  }

  private static Taken read(Path process) {
    try {
      String[] fields = stat(process);
      if (fields.length == 0) {
        return Taken.NOTHING;
      }
      int threads = Integer.parseInt(fields[THREADS]);
      boolean dead = "ZXx".contains(fields[STATE]) && threads <= 1;
      return dead
          ? Taken.NOTHING
          : new Taken(
              threads,
              Long.parseLong(fields[RESIDENT_PAGES]) * PAGE_BYTES,
              Map.of(
                  Integer.parseInt(fields[SESSION]),
                  Integer.parseInt(process.getFileName().toString())));
    } catch (IOException _) {
      return Taken.NOTHING;
    }
  }
}
