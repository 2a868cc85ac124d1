package dev.runyard.cli;

/// The exit statuses of the command.
final class ExitCode {
  /// The command succeeded; a watched run completed.
  static final int DONE = 0;

  /// The command, or the watched run, failed.
  static final int FAILED = 1;

  /// The command line or the request was wrong.
  static final int USAGE = 2;

  /// The watched run was cancelled, or the command was interrupted.
  static final int CANCELLED = 130;

  /// The reader of the output has closed it.
  static final int OUTPUT_CLOSED = 141;

  private ExitCode() {}

  static int ofStatus(String status) {
    return switch (status) {
      case "completed" -> DONE;
      case "cancelled" -> CANCELLED;
      default -> FAILED;
    };
  }
}
