package dev.runyard.bench.figure;

import java.util.List;

/// One printed number.
///
/// @param section what was measured
/// @param name of the number, with its percentile where it is one
/// @param unit such as `ms`, `1/s`, `$`
/// @param note how it came about: how many samples, what was assumed
public record Figure(String section, String name, double value, String unit, String note) {

  /// The median and the 99th percentile of samples in milliseconds.
  public static List<Figure> ofMillis(String section, String name, Samples samples, String note) {
    String counted = samples.count() + " samples" + (note.isEmpty() ? "" : "; " + note);
    return List.of(
        new Figure(section, name + ", p50", samples.percentile(50), "ms", counted),
        new Figure(section, name + ", p99", samples.percentile(99), "ms", counted));
  }
}
