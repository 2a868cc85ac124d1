package dev.runyard.runner.process;

/// The signals a runner sends, with their Linux numbers.
enum Signal {
  KILL(9),
  TERM(15),
  CONT(18);

  private final int number;

  Signal(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
