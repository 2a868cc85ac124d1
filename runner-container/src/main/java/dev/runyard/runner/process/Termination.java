package dev.runyard.runner.process;

/// How an agent's main process ended.
public sealed interface Termination {

  /// It ended by itself with this exit status.
  record Exited(int code) implements Termination {}

  /// A signal ended it.
  record Signalled(int number) implements Termination {}

  /// No program was run, so nothing has happened.
  record NotStarted(String reason) implements Termination, Launch {}

  /// Reads the status the JVM reports.
  ///
  /// The JVM adds 128 to the number of a fatal signal, so an exit status of 129 to 192 (128 + the
  /// signals 1 to 64) cannot be distinguished from a death by signal and is read as one. That
  /// agrees with shells and with agents that catch SIGTERM and then exit with 143.
  static Termination ofExitValue(int value) {
    int number = value - SIGNAL_OFFSET;
    return number >= 1 && number <= SIGNAL_NUMBER_MAX ? new Signalled(number) : new Exited(value);
  }

  /// What the JVM adds to the number of a fatal signal.
  int SIGNAL_OFFSET = 128;

  /// The highest signal of Linux.
  int SIGNAL_NUMBER_MAX = 64;
}
