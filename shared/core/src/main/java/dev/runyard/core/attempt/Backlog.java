package dev.runyard.core.attempt;

/// How much an agent may tell ahead of whoever writes it down; beyond, the agent waits. It holds
/// for what an attempt has not taken from its agent, and for what it has taken and not written.
public final class Backlog {
  /// Four chunks of the log.
  public static final int EVENTS_MAX = 4 * AttemptLog.CHUNK_EVENTS_MAX;

  /// Text of them, give or take what comes at once.
  public static final int BYTES_MAX = 4 * 1024 * 1024;

  private Backlog() {}

  /// How many events more there is room for behind so many events with so many bytes.
  public static int room(int events, int bytes) {
    return bytes < BYTES_MAX ? Math.max(0, EVENTS_MAX - events) : 0;
  }
}
