package dev.runyard.simulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The alarms that the operator would have seen, with the last time of each.
final class Alarms {
  private final InstantSource clock;
  private final Map<Alarm, Instant> raised = new EnumMap<>(Alarm.class);

  /// The alarms of the template.
  enum Alarm {
    /// The API answered with an error of its own.
    SERVER_ERRORS,
    /// A message is in the dead-letter queue.
    DEAD_RUNS,
    /// A run is in the queue of failed stream records.
    STREAM_FAILURES,
    /// A change was given up that a stream function was told of too often.
    LOST_RECORDS,
    /// A message of a delivery was received too often.
    WEBHOOK_FAILURES,
    /// A stream function is behind.
    LAG,
    /// A call of another function ended with an error.
    FUNCTION_ERRORS,
    /// A run has waited for a runner for long.
    WAITING_RUNS,
    /// The sweep ended with an error, a part of it failed, or no runner starts.
    SWEEP_ERRORS
  }

  Alarms(InstantSource clock) {
    this.clock = clock;
  }

  /// A call of a process of this role ended with an error. One of `deliver` only says which
  /// messages are to come again.
  void failed(Role role) {
    switch (role) {
      case API -> raise(Alarm.SERVER_ERRORS);
      case ADVANCE, PROJECT -> raise(Alarm.FUNCTION_ERRORS);
      case SWEEP -> raise(Alarm.SWEEP_ERRORS);
      case DELIVER, RUNNER, NONE -> {}
    }
  }

  void raise(Alarm alarm) {
    raised.put(alarm, clock.instant());
  }

  /// Whether the alarm was ever raised.
  boolean raised(Alarm alarm) {
    return raised.containsKey(alarm);
  }

  /// The alarms that were raised within a span before now.
  Set<Alarm> within(Duration span) {
    Instant from = clock.instant().minus(span);
    Set<Alarm> recent = new TreeSet<>();
    raised.forEach(
        (alarm, at) -> {
          if (at.isAfter(from)) {
            recent.add(alarm);
          }
        });
    return recent;
  }
}
