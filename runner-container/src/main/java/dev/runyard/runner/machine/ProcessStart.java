package dev.runyard.runner.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A process of this machine. Its number is used again, its start is not.
///
/// @param ticks from the start of the machine to that of the process
public record ProcessStart(long pid, long ticks) {
  private static final int TICKS = 19;
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,10})-([0-9]{1,18})");

  /// The one that this code runs in.
  public static ProcessStart self() {
    long pid = ProcessHandle.current().pid();
    return new ProcessStart(pid, ticks(pid).orElseThrow());
  }

  /// Reads what [#text] writes; empty if it is something else.
  public static Optional<ProcessStart> read(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches()
        ? Optional.of(
            new ProcessStart(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2))))
        : Optional.empty();
  }

  public String text() {
    return pid + "-" + ticks;
  }

  public boolean isAlive() {
    return ticks(pid).filter(found -> found == ticks).isPresent();
  }

  private static Optional<Long> ticks(long pid) {
    try {
      String stat =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
      int nameEnd = stat.lastIndexOf(')');
      return nameEnd < 0
          ? Optional.empty()
          : Optional.of(Long.valueOf(stat.substring(nameEnd + 2).split(" ", TICKS + 2)[TICKS]));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
