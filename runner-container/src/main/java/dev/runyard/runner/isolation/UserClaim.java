package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Who has a user of attempts, as its file says it.
///
/// @param uid the user; the file's name
/// @param runner the runner's process
/// @param stack the stack of whose process the runner is a part; empty if none
/// @param mark the attempt
/// @param folders what the user has of files
record UserClaim(int uid, Runner runner, String stack, String mark, List<Path> folders) {
  private static final String RUNNER = "runner ";
  static final String STACK = "stack ";
  private static final String MARK = "mark ";
  private static final String FOLDER = "folder ";
  private static final int START_TICKS = 19;

  /// A process; its number is used again, its start is not.
  record Runner(long pid, long startTicks) {
    static Runner self() {
      long pid = ProcessHandle.current().pid();
      return new Runner(pid, startTicks(pid).orElseThrow());
    }

    boolean isAlive() {
      return startTicks(pid).filter(ticks -> ticks == startTicks).isPresent();
    }

    private static Optional<Long> startTicks(long pid) {
      try {
        String stat =
            Files.readString(
                Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
        int nameEnd = stat.lastIndexOf(')');
        return nameEnd < 0
            ? Optional.empty()
            : Optional.of(
                Long.valueOf(stat.substring(nameEnd + 2).split(" ", START_TICKS + 2)[START_TICKS]));
      } catch (IOException _) {
        return Optional.empty();
      }
    }
  }

  UserClaim {
    folders = List.copyOf(folders);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(RUNNER).append(runner.pid()).append(' ').append(runner.startTicks()).append('\n');
    text.append(STACK).append(stack).append('\n');
    text.append(MARK).append(mark).append('\n');
    folders.forEach(folder -> text.append(FOLDER).append(folder).append('\n'));
    return text.toString();
  }

  /// Reads a file; a claim that says nothing is one that its writer did not finish, and nobody's.
  static UserClaim read(Path file) throws IOException {
    Runner runner = new Runner(0, 0);
    String stack = "";
    String mark = "";
    List<Path> folders = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(RUNNER)) {
        String[] words = line.split(" ", 3);
        runner = new Runner(Long.parseLong(words[1]), Long.parseLong(words[2]));
      } else if (line.startsWith(STACK)) {
        stack = line.substring(STACK.length());
      } else if (line.startsWith(MARK)) {
        mark = line.substring(MARK.length());
      } else if (line.startsWith(FOLDER)) {
        folders.add(Path.of(line.substring(FOLDER.length())));
      }
    }
    return new UserClaim(
        Integer.parseInt(String.valueOf(file.getFileName())), runner, stack, mark, folders);
  }
}
