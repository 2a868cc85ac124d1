package dev.runyard.runner.process;

/// The processes of this machine that still run; zombies do not count.
public final class LiveProcesses {
  private LiveProcesses() {}

  public static boolean contain(long pid) {
    return new LinuxProcessTable()
        .find(Math.toIntExact(pid))
        .filter(entry -> entry.state() != ProcessEntry.State.DEAD)
        .isPresent();
  }
}
