package dev.runyard.simulator;

import java.time.Duration;
import java.time.Instant;

/// A fault that befell somebody, and when.
record Hit(Fault fault, Instant from, Instant to) {
  /// How long it lasted within a span.
  Duration within(Instant begin, Instant end) {
    Instant first = from.isAfter(begin) ? from : begin;
    Instant last = to.isBefore(end) ? to : end;
    return last.isAfter(first) ? Duration.between(first, last) : Duration.ZERO;
  }
}
