package dev.runyard.runner.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.runyard.runner.process.ProcessEntry.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The process table of Linux, read from `/proc`; signals go straight to `kill(2)`.
///
/// Signalling starts no helper process, so it also works when a fork bomb has used up all of them.
final class LinuxProcessTable implements ProcessTable {

  private static final Path PROC = Path.of("/proc");
  private static final String MARK = RunMark.VARIABLE + "=";

  // Fields of /proc/<pid>/stat counted from the state, which follows the command's name.
  private static final int STATE = 0;
  private static final int PARENT = 1;
  private static final int GROUP = 2;
  private static final int SESSION = 3;
  private static final int THREADS = 17;
  private static final int START_TICKS = 19;

  @Override
  public List<ProcessEntry> snapshot(long marksSinceTicks) {
    List<ProcessEntry> entries = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        read(Integer.parseInt(process.getFileName().toString()), marksSinceTicks)
            .ifPresent(entries::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DirectoryIteratorException e) {
      throw new UncheckedIOException(e.getCause());
    }
    return entries;
  }

  @Override
  public Optional<ProcessEntry> find(int pid) {
    return read(pid, Long.MAX_VALUE);
  }

  private static Optional<ProcessEntry> read(int pid, long marksSinceTicks) {
    Path process = PROC.resolve(Integer.toString(pid));
    String stat = read(process.resolve("stat"));
    int nameEnd = stat.lastIndexOf(')');
    if (nameEnd < 0) {
      return Optional.empty();
    }
    String[] fields = stat.substring(nameEnd + 2).split(" ", START_TICKS + 2);
    State state = state(fields[STATE].charAt(0), Integer.parseInt(fields[THREADS]));
    long startTicks = Long.parseLong(fields[START_TICKS]);
    boolean readMark = state != State.DEAD && startTicks >= marksSinceTicks;
    return Optional.of(
        new ProcessEntry(
            pid,
            Integer.parseInt(fields[PARENT]),
            Integer.parseInt(fields[GROUP]),
            Integer.parseInt(fields[SESSION]),
            startTicks,
            state,
            readMark ? mark(read(process.resolve("environ"))) : ""));
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

  /// A process whose first thread has ended is shown as a zombie while its other threads live on.
  private static State state(char letter, int threads) {
    return switch (letter) {
      case 'Z', 'X', 'x' -> threads > 1 ? State.RUNNING : State.DEAD;
      case 'T', 't' -> State.STOPPED;
      default -> State.RUNNING;
    };
  }

  private static String mark(String environ) {
    int start = environ.startsWith(MARK) ? 0 : environ.indexOf('\0' + MARK) + 1;
    if (start == 0 && !environ.startsWith(MARK)) {
      return "";
    }
    int end = environ.indexOf('\0', start);
    return environ.substring(start + MARK.length(), end < 0 ? environ.length() : end);
  }

  /// Empty when the process is gone or is not ours to read.
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
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

    /// The answer is not needed: callers look at the process table again.
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
