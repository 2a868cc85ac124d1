package dev.runyard.simulator;

/// A kind of thing that goes wrong. Each history has some of them, and some histories have none.
public enum Fault {
  /// A process dies before or after a port call.
  CRASH,
  /// A call is refused, or carried out while its answer is lost.
  REFUSAL,
  /// Most calls of everybody are refused for a while.
  OUTAGE,
  /// Nobody reaches the log for ten minutes, but all else.
  LOG_OUTAGE,
  /// Nobody reaches the queues for ten minutes, but all else.
  QUEUE_OUTAGE,
  /// Nobody reaches the bucket for ten minutes, but all else.
  BUCKET_OUTAGE,
  /// Runners reach nothing, or not the log or the queue, while others do.
  PARTITION,
  /// Reads of the log are refused for a while, writes are not.
  READ_THROTTLE,
  /// Writes of the log and the tables are refused for a while, reads are not.
  WRITE_THROTTLE,
  /// A runner stands still while its agents go on.
  STALL,
  /// A call takes long: seconds, a minute, or beyond a function's time.
  SLOW_CALL,
  /// What an agent needs is long in coming.
  SLOW_START,
  /// A queue delivers a message again while it is hidden, each time with a receipt of its own.
  DUPLICATE,
  /// A stream tells of old changes again, or of new ones late.
  LATE_STREAM,
  /// A table still has for days what has expired, where a history lasts for days.
  LATE_EXPIRY,
  /// Clocks of processes are wrong, and two of them by two minutes at most.
  SKEW,
  /// A runner is told to stop.
  DRAIN,
  /// A runner dies and its agents go on: all runners are on one machine.
  ORPHAN,
  /// A function is called twice at once, for the same records or the same minute.
  TWICE,
  /// The code of a stream function fails on a run.
  POISON,
  /// A role lacks a right for good.
  RIGHT_MISSING,
  /// Starts of runners are refused, or their tasks stop or never come up.
  START_FAILS,
  /// Starts of runners take seconds, and may get no answer.
  START_SLOW,
  /// A task that was started is not shown for a while.
  TASK_UNSEEN;

  /// True when this alone is reason enough to take a runner for lost.
  boolean silences() {
    return switch (this) {
      case CRASH, OUTAGE, LOG_OUTAGE, PARTITION, WRITE_THROTTLE, STALL, SLOW_CALL -> true;
      case REFUSAL,
          QUEUE_OUTAGE,
          BUCKET_OUTAGE,
          READ_THROTTLE,
          SLOW_START,
          DUPLICATE,
          LATE_STREAM,
          LATE_EXPIRY,
          SKEW,
          DRAIN,
          ORPHAN,
          TWICE,
          POISON,
          RIGHT_MISSING,
          START_FAILS,
          START_SLOW,
          TASK_UNSEEN ->
          false;
    };
  }
}
