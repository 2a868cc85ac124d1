package dev.runyard.simulator;

/// What a call goes to, and after how many seconds its caller gives it up.
enum Port {
  LOG_READ(16),
  LOG_WRITE(16),
  TABLE_READ(16),
  TABLE_WRITE(16),
  BUCKET(6),
  /// Three tries of as long as a receive may wait.
  QUEUE(75),
  FLEET(6);

  private final int secondsMax;

  Port(int secondsMax) {
    this.secondsMax = secondsMax;
  }

  int secondsMax() {
    return secondsMax;
  }

  /// What a call of a port on a table goes to, by the name of the call.
  static Port ofTable(String call) {
    return switch (call) {
      case "snapshot",
          "list",
          "due",
          "read",
          "find",
          "all",
          "first",
          "nextTenant",
          "newest",
          "last",
          "requests",
          "row",
          "rows" ->
          TABLE_READ;
      case "save",
          "write",
          "bind",
          "add",
          "revoke",
          "used",
          "admit",
          "place",
          "free",
          "remove",
          "delete",
          "update",
          "put",
          "send" ->
          TABLE_WRITE;
      default -> throw new IllegalArgumentException("neither a read nor a write: " + call);
    };
  }
}
