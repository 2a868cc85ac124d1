package dev.runyard.runner.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.runyard.runner.process.ProcessEntry.State;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// The process table of Linux, read from `/proc`; signals go straight to `kill(2)`.
///
/// Signalling starts no helper process, so it works even when a fork bomb has used up all
/// processes.
final class LinuxProcessTable implements ProcessTable {

  private static final Path PROC = Path.of("/proc");

  /// What Linux sets in the flags of a process that is a thread of the kernel.
  private static final long OF_KERNEL = 0x0020_0000;

  /// How often the processes are listed for one snapshot.
  private static final int LISTINGS_MAX = 10;

  private static final String MARK = RunMark.VARIABLE + "=";

  private final Path proc;
  private final Function<Path, Optional<String>> marks;

  /// Processes are marked by a variable of their environment.
  LinuxProcessTable() {
    this(PROC);
  }

  /// @param proc where the kernel describes the processes
  LinuxProcessTable(Path proc) {
    this(proc, LinuxProcessTable::variable);
  }

  private LinuxProcessTable(Path proc, Function<Path, Optional<String>> marks) {
    this.proc = proc;
    this.marks = marks;
  }

  /// Processes are marked with the number of their user.
  static LinuxProcessTable markedByOwner() {
    return new LinuxProcessTable(PROC, process -> Optional.of(owner(process)));
  }

  // Fields of /proc/<pid>/stat counted from the state, which follows the command's name.
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int GROUP = 2;
  private static final int SESSION = 3;
  private static final int FLAGS = 6;
  private static final int THREADS = 17;
  private static final int START_TICKS = 19;

  /// Lists again for processes that started in the meantime, so that one which forks and exits all
  /// the time is seen at some moment.
  @Override
  public List<ProcessEntry> snapshot(long marksSinceTicks) {
    List<ProcessEntry> entries = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    boolean born = true;
    for (int listing = 0; born && listing < LISTINGS_MAX; listing++) {
      born = false;
      for (String pid : newestFirst()) {
        if (listed.add(pid)) {
          born = true;
          read(Integer.parseInt(pid), marksSinceTicks).ifPresent(entries::add);
        }
      }
    }
    return entries;
  }

  private List<String> newestFirst() {
    String[] names = proc.toFile().list();
    if (names == null) {
      throw new IllegalStateException("the process table cannot be read");
    }
    return Stream.of(names).filter(name -> Character.isDigit(name.charAt(0))).toList().reversed();
  }

  @Override
  public Optional<ProcessEntry> find(int pid) {
    return read(pid, Long.MAX_VALUE);
  }

  private Optional<ProcessEntry> read(int pid, long marksSinceTicks) {
    Path process = proc.resolve(Integer.toString(pid));
    String stat = read(process.resolve("stat"));
    int nameEnd = stat.lastIndexOf(')');
    if (nameEnd < 0) {
      return Optional.empty();
    }
    String[] fields = stat.substring(nameEnd + 2).split(" ", START_TICKS + 2);
    char letter = fields[STATE].charAt(0);
    State state = state(letter, Integer.parseInt(fields[THREADS]));
    long startTicks = Long.parseLong(fields[START_TICKS]);
    boolean readMark = state != State.DEAD && startTicks >= marksSinceTicks;
    Optional<String> mark = readMark ? marks.apply(process) : Optional.of("");
    boolean silent =
        letter == 'Z' || state != State.RUNNING || (Long.parseLong(fields[FLAGS]) & OF_KERNEL) != 0;
    return Optional.of(
        new ProcessEntry(
            pid,
            Integer.parseInt(fields[PARENT]),
            Integer.parseInt(fields[GROUP]),
            Integer.parseInt(fields[SESSION]),
            startTicks,
            mark.isPresent() || silent ? state : State.CHANGING,
            mark.orElse("")));
  }

  @Override
  public int self() {
    return Math.toIntExact(ProcessHandle.current().pid());
  }

  @Override
  public void signal(int pid, Signal signal) {
    Kill.send(pid, signal);
  }

  @Override
  public void signalGroup(int group, Signal signal) {
    Kill.send(-group, signal);
  }

  /// A process whose first thread has ended is shown as a zombie while its other threads run.
  private static State state(char letter, int threads) {
    return switch (letter) {
      case 'Z', 'X', 'x' -> threads > 1 ? State.RUNNING : State.DEAD;
      case 'T', 't' -> State.STOPPED;
      default -> State.RUNNING;
    };
  }

  /// Nothing for a process that is between two programs. One that has no variables has at least the
  /// name by which it was called; its environment is read again, since it may have become another
  /// program in between.
  private static Optional<String> variable(Path process) {
    String environ = read(process.resolve("environ"));
    if (environ.isEmpty() && read(process.resolve("cmdline")).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(mark(environ.isEmpty() ? read(process.resolve("environ")) : environ));
  }

  private static String mark(String environ) {
    int start = environ.startsWith(MARK) ? 0 : environ.indexOf('\0' + MARK) + 1;
    if (start == 0 && !environ.startsWith(MARK)) {
      return "";
    }
    int end = environ.indexOf('\0', start);
    return environ.substring(start + MARK.length(), end < 0 ? environ.length() : end);
  }

  private static String owner(Path process) {
    try {
      return String.valueOf(Files.getAttribute(process, "unix:uid"));
    } catch (IOException e) {
      return "";
    }
  }

  /// Empty when the process is gone or not readable.
  private static String read(Path file) {
    try (FileInputStream content = new FileInputStream(file.toFile())) {
      return new String(content.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  /// Linked on first use: most runs end without a signal.
  private static final class Kill {

    private static final MethodHandle FUNCTION = link();

    @SuppressWarnings("restricted")
    private static MethodHandle link() {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().find("kill").orElseThrow(),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    }

    /// The result is not needed: callers read the process table again.
    @SuppressWarnings("UnusedVariable")
    static void send(int target, Signal signal) {
      try {
        int ignored = (int) FUNCTION.invokeExact(target, signal.number());
      } catch (Throwable e) {
        throw new IllegalStateException("kill(2) could not be called", e);
      }
    }
  }
}
