package dev.runyard.core.problem;

/// Thrown when a log is further ahead of its snapshot than one load reads. What was read is kept,
/// so the next load continues there: whoever can only try again later treats it as no answer, and
/// whoever counts answers knows that there was progress.
public final class LogAhead extends PortUnavailable {
  private static final long serialVersionUID = 1L;

  public LogAhead() {
    super("the log is longer than one call reads; the next one continues");
  }
}
