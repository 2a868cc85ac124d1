package dev.runyard.runner.isolation;

import dev.runyard.runner.files.FileFacts;

/// The files that one count has met, so that each counts once, however many names it has and
/// whoever gave it these. It takes a few bytes for each, and as many are met as may be counted.
final class SeenFiles {
  private static final int ROOM = 64;

  /// Of the places, at least the part with this divisor is free, so that looks are short.
  private static final int FREE_PARTS = 2;

  /// Spreads what is close to each other.
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private static final long MIX_FIRST = 0xff51afd7ed558ccdL;
  private static final long MIX_SECOND = 0xc4ceb9fe1a85ec53L;

  private final long seed;
  private long[] places = new long[ROOM];
  private int filled;

  /// @param seed that no agent knows: an agent sees the numbers of its files, and could choose
  ///   those that all have one place
  SeenFiles(long seed) {
    this.seed = seed;
  }

  /// Notes a file; false if it was met before. Two that a machine cannot have at once by far may be
  /// taken for one.
  boolean add(FileFacts facts) {
    long mixed = mixed(facts.inode() ^ mixed(facts.device() * SPREAD ^ seed));
    long key = mixed == 0 ? 1 : mixed;
    if (!put(key)) {
      return false;
    }
    if (++filled > places.length / FREE_PARTS) {
      long[] before = places;
      places = new long[before.length * 2];
      for (long one : before) {
        if (one != 0) {
          put(one);
        }
      }
    }
    return true;
  }

  private static long mixed(long number) {
    long one = (number ^ (number >>> 33)) * MIX_FIRST;
    long two = (one ^ (one >>> 33)) * MIX_SECOND;
    return two ^ (two >>> 33);
  }

  private boolean put(long key) {
    int at = (int) (key >>> Integer.SIZE) & (places.length - 1);
    while (places[at] != 0) {
      if (places[at] == key) {
        return false;
      }
      at = (at + 1) & (places.length - 1);
    }
    places[at] = key;
    return true;
  }
}
