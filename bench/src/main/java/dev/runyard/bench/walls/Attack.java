package dev.runyard.bench.walls;

import java.util.Locale;

/// What a run does to those beside it; the first does nothing, as what others are compared with.
/// The script `attack.sh` has each of them.
enum Attack {
  SHORT("short runs that do no harm"),
  FORKS("a fork bomb"),
  FILE("a file of 10 GB"),
  MEMORY("a memory hog"),
  FILES("100,000 files"),
  LOOPS("busy loops on all cores"),
  OUTPUT("a flood of output"),
  CONNECTIONS("a flood of connections");

  private final String title;

  Attack(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /// Its name in the script.
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
