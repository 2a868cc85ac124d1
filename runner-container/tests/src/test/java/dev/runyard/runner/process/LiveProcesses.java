package dev.runyard.runner.process;

import java.util.List;

/// The processes of this machine that still run; zombies do not count.
public final class LiveProcesses {
  private LiveProcesses() {}

  public static boolean contain(long pid) {
    return new LinuxProcessTable()
        .find(Math.toIntExact(pid))
        .filter(entry -> entry.state() != ProcessEntry.State.DEAD)
        .isPresent();
  }

  /// Those with the mark of an attempt of the run.
  public static List<Integer> of(String runId) {
    return new LinuxProcessTable()
        .snapshot(0).stream()
            .filter(entry -> entry.mark().startsWith(runId + "."))
            .filter(entry -> entry.state() != ProcessEntry.State.DEAD)
            .map(ProcessEntry::pid)
            .toList();
  }
}
