package dev.runyard.core.attempt;

/// How far an agent may be ahead of the log; beyond that, the agent waits. The bound applies to
/// what an attempt has not taken from its agent, and to what it has taken and not written.
public final class Backlog {
  /// Four chunks of the log.
  public static final int EVENTS_MAX = 4 * AttemptLog.CHUNK_EVENTS_MAX;

  /// Their text; one batch may exceed it.
  public static final int BYTES_MAX = 4 * 1024 * 1024;

  private Backlog() {}

  /// Room for more events, given the events and bytes that already wait.
  public static int room(int events, int bytes) {
    return bytes < BYTES_MAX ? Math.max(0, EVENTS_MAX - events) : 0;
  }
}
