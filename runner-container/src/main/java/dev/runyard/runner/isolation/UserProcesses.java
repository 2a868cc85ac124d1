package dev.runyard.runner.isolation;

import java.io.File;
import java.io.IOException;
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
  private static final String TASK = "task";
  private static final long PAGE_BYTES = 4_096;

  // Fields of /proc/<pid>/stat counted from the state, which follows the command's name.
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int THREADS = 17;
  private static final int RESIDENT_PAGES = 21;
  private static final int POLICY = 38;

  /// That each folder has: its name and its own `.`.
  private static final int LINKS_OF_FOLDER = 2;

  private static final String IDLE = "5";

  /// A process of one of the users.
  ///
  /// @param folder in the process table
  /// @param threads it has; one if it is dead and nobody has waited for it
  record Owned(int uid, Path folder, int threads) {}

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

  /// True when the user has a process that is not yet dead. The kernel is asked for the real user
  /// and shows the effective one; an attempt's processes get no privileges by which these could
  /// differ.
  static boolean any(int uid) {
    return SystemCalls.has(uid)
        && pids().stream()
            .map(PROC::resolve)
            .anyMatch(process -> owner(process) == uid && read(process).threads() > 0);
  }

  /// The processes of each of these users, the dead among them; users without are left out. A
  /// process's folder of threads has a link more for each, and the owner that the process has, so
  /// nothing is read.
  static Map<Integer, List<Owned>> of(Set<Integer> uids) {
    Map<Integer, List<Owned>> all = new HashMap<>();
    for (String pid : pids()) {
      add(PROC.resolve(pid), uids, all);
    }
    return all;
  }

  private static void add(Path process, Set<Integer> uids, Map<Integer, List<Owned>> all) {
    try {
      Map<String, Object> told = Files.readAttributes(process.resolve(TASK), "unix:uid,nlink");
      if (told.get("uid") instanceof Integer uid
          && told.get("nlink") instanceof Integer links
          && uids.contains(uid)) {
        all.computeIfAbsent(uid, _ -> new ArrayList<>())
            .add(new Owned(uid, process, links - LINKS_OF_FOLDER));
      }
    } catch (IOException _) {
      return;
    }
  }

  static int threads(List<Owned> processes) {
    return processes.stream().mapToInt(Owned::threads).sum();
  }

  /// What these processes take. One whose number is another user's by now takes nothing.
  ///
  /// @param visit is given the folder of each
  static Taken taken(List<Owned> processes, Consumer<Path> visit) {
    Taken taken = Taken.NOTHING;
    for (Owned process : processes) {
      if (owner(process.folder()) == process.uid()) {
        visit.accept(process.folder());
        taken = taken.plus(read(process.folder()));
      }
    }
    return taken;
  }

  /// The threads of each of these users that have a processor or want one; users without are left
  /// out.
  static Map<Integer, List<Running>> running(Set<Integer> uids) {
    Map<Integer, List<Running>> running = new HashMap<>();
    of(uids).forEach((uid, processes) -> running.put(uid, running(processes)));
    running.values().removeIf(List::isEmpty);
    return running;
  }

  private static List<Running> running(List<Owned> processes) {
    List<Running> running = new ArrayList<>();
    for (Owned process : processes) {
      Path threads = process.folder().resolve(TASK);
      numbers(threads.toFile()).forEach(thread -> addRunning(threads.resolve(thread), running));
    }
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
