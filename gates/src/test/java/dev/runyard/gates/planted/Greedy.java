package dev.runyard.gates.planted;

import java.util.function.IntSupplier;

/// A class that is given more than it should need.
final class Greedy {
  private final IntSupplier all;

  Greedy(int one, int two, int three, int four, int five, int six, int seven) {
    this.all = () -> one + two + three + four + five + six + seven;
  }

  int all() {
    return all.getAsInt();
  }

  /// A record of data may be wide.
  record Wide(int one, int two, int three, int four, int five, int six, String seven) {}

  /// One that carries somebody to call is given too much as well.
  record Disguised(
      int one,
      int two,
      int three,
      int four,
      int five,
      int six,
      java.util.function.IntSupplier seven) {}
}
