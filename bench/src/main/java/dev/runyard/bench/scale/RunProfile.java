package dev.runyard.bench.scale;

import dev.runyard.core.limits.Limits;

/// What one run asks for: calls of the functions and units of the tables, as `bench/run cost`
/// counts them for runs of ten minutes in the shape `STEPS`. What grows with time is named by the
/// minute.
///
/// @param minutes how long it is at work
/// @param viewers clients that follow it by server-sent events while it is at work
public record RunProfile(double minutes, double viewers) {
  /// Requests of its client that are answered at once: one submit, one get.
  static final double API_CALLS = 2;

  static final double API_REQUESTS = 4;

  /// The record of its end is the last call and the last three requests, which `bench/run cost`
  /// does not count: a process that ended the run itself makes none of these.
  static final double DRIVE_CALLS = 3.8;

  static final double DRIVE_REQUESTS = 13;

  /// Looks for runners that are missing: its first record comes while it waits for one.
  static final double SCALINGS = 1;

  static final double PROJECT_CALLS = 3.3;

  /// A read of the log and a snapshot, and most often a row and a snapshot put, for each call.
  static final double PROJECT_REQUESTS = 4 * PROJECT_CALLS;

  /// Write units of the events table: what is written whatever its length, and each minute.
  static final double EVENT_UNITS = 6;

  static final double EVENT_UNITS_A_MINUTE = 5.3;

  /// Read units of both tables, half of them looks for wake-ups.
  static final double READ_UNITS = 15;

  static final double READ_UNITS_A_MINUTE = 6.3;

  /// Saves of its read model after changes of state.
  static final double SAVES = 3;

  /// Write units one save takes of its tenant's list, and of the index `due`: the old place and the
  /// new.
  static final double LIST_UNITS = 2;

  static final double DUE_UNITS = 2;

  /// Requests of `sweep` for a run it looks at: snapshot, tail, row put, snapshot put. In a named
  /// session there is one more, the put of the session's row.
  static final double CLOCK_REQUESTS = 4;

  /// Saves of its read model: after each change of state, and whenever `sweep` has looked at it.
  double saves() {
    return SAVES + minutes * 60 / Limits.SILENT_SECONDS;
  }

  double writeUnits() {
    return EVENT_UNITS + EVENT_UNITS_A_MINUTE * minutes;
  }

  double readUnits() {
    return READ_UNITS + READ_UNITS_A_MINUTE * minutes;
  }
}
