package dev.runyard.simulator;

import java.time.Duration;
import java.time.Instant;

/// A fault that befell somebody, and when.
record Hit(Fault fault, Instant from, Instant to) {
  /// True if some of it was within a span.
  boolean meets(Instant begin, Instant end) {
    return !to.isBefore(begin) && !from.isAfter(end);
  }

  /// How long it lasted within a span.
  Duration within(Instant begin, Instant end) {
    Instant first = from.isAfter(begin) ? from : begin;
    Instant last = to.isBefore(end) ? to : end;
    return last.isAfter(first) ? Duration.between(first, last) : Duration.ZERO;
  }
}
