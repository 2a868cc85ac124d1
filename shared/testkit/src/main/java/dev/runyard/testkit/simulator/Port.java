package dev.runyard.testkit.simulator;

/// What a call goes to, and after how many seconds its caller gives it up.
enum Port {
  LOG_READ(16),
  LOG_WRITE(16),
  TABLE(16),
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
}
