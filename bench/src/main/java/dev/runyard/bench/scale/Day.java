package dev.runyard.bench.scale;

import java.util.stream.IntStream;

/// A day's runs, minute by minute: few at night, the most at noon, a bit more than three times the
/// mean.
final class Day {
  static final int MINUTES = 24 * 60;

  /// `((1 + cos)/2)^3` over a day has the mean 5/16.
  static final double PEAK = 16.0 / 5;

  private Day() {}

  /// Runs that come in a minute, of `runs` in all.
  static double arrivals(double runs, int minute) {
    double wave = (1 - Math.cos(2 * Math.PI * minute / MINUTES)) / 2;
    return runs / MINUTES * PEAK * wave * wave * wave;
  }

  /// How the queue fares where at most `slots` runs are at work, each for `minutes`.
  static Queue queue(double runs, double minutes, double slots) {
    double waiting = 0;
    double most = 0;
    double busiest = 0;
    double done = 0;
    double perMinute = slots / minutes;
    for (int minute = 0; minute < MINUTES; minute++) {
      double ready = waiting + arrivals(runs, minute);
      double begun = Math.min(ready, perMinute);
      waiting = ready - begun;
      done += begun;
      most = Math.max(most, waiting);
      busiest = Math.max(busiest, begun * minutes);
    }
    return new Queue(most, most / perMinute, busiest, done);
  }

  /// @param longest most runs that waited
  /// @param waitMinutes how long the last of them waited
  /// @param busiest most runs at work at once
  /// @param begun runs that were begun within the day
  record Queue(double longest, double waitMinutes, double busiest, double begun) {}

  static double total(double runs) {
    return IntStream.range(0, MINUTES).mapToDouble(minute -> arrivals(runs, minute)).sum();
  }
}
