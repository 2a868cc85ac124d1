package dev.runyard.bench.figure;

import java.util.Collection;
import java.util.List;

/// Measurements of one thing, and what is said of many: percentiles by nearest rank, so that each
/// is a value that was measured.
public record Samples(List<Double> sorted) {

  public Samples {
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    sorted = sorted.stream().sorted().toList();
  }

  public static Samples of(Collection<Double> values) {
    return new Samples(List.copyOf(values));
  }

  public int count() {
    return sorted.size();
  }

  /// The smallest value that at least `percent` of the values do not exceed.
  ///
  /// @param percent above 0, at most 100
  public double percentile(double percent) {
    if (!(percent > 0 && percent <= 100)) {
      throw new IllegalArgumentException("not a percentile: " + percent);
    }
    return sorted.get((int) Math.ceil(percent / 100 * sorted.size()) - 1);
  }

  /// The middle value, or the mean of the two in the middle.
  public double median() {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
