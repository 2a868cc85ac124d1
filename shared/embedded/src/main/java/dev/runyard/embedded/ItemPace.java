package dev.runyard.embedded;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// When items of jobs are handed to runners that share a machine, its processors and the one writer
/// of its store with the runs somebody waits for. Never so many are held that others find no place,
/// all jobs together; few are handed out that may still be starting, since an agent that has
/// started mostly waits for its model; and while another run starts or ends, one after another with
/// a pause. So items always go on, and take the whole machine while nobody else wants it.
///
/// It is in memory: what it forgets with its process is only whom to let go first. Thread-safe.
final class ItemPace {
  /// Items that may be starting, for each processor.
  static final int STARTING_PER_PROCESSOR = 2;

  /// After this an item that is still held is taken to have started.
  static final Duration STARTING_MAX = Duration.ofMillis(250);

  /// How long another run is taken to start or to end after it was sent or received, or its attempt
  /// was over.
  static final Duration OTHERS_FIRST = Duration.ofMillis(50);

  /// From one item to the next meanwhile.
  static final Duration PAUSE = Duration.ofMillis(20);

  /// From one look to the next while as many items are held as may be, and nobody tells of an end.
  static final Duration FULL_PAUSE = Duration.ofSeconds(1);

  private final int startingMax;
  private final int heldMax;
  private final Map<String, Instant> starting = new LinkedHashMap<>();
  private Instant other = Instant.EPOCH;
  private Instant handed = Instant.EPOCH;

  /// @param heldMax items that runners may have at once
  ItemPace(int processors, int heldMax) {
    this.startingMax = STARTING_PER_PROCESSOR * processors;
    this.heldMax = heldMax;
  }

  /// A run that is no item was sent or received, or its attempt is over.
  synchronized void otherRun(Instant now) {
    other = now;
  }

  /// An item was handed out.
  synchronized void handed(String message, Instant now) {
    handed = now;
    starting.put(message, now);
  }

  /// An item is over.
  synchronized void over(String message) {
    starting.remove(message);
  }

  /// How many items may be handed out now.
  ///
  /// @param held those that runners have
  synchronized int room(Instant now, int held) {
    starting.values().removeIf(since -> !within(STARTING_MAX, since, now));
    int most = Math.min(startingMax - starting.size(), heldMax - held);
    if (within(OTHERS_FIRST, other, now)) {
      boolean next = starting.isEmpty() && !within(PAUSE, handed, now);
      return next ? Math.min(1, most) : 0;
    }
    return most;
  }

  /// How long to wait for room, unless something else happens.
  Duration pause(int held) {
    return held < heldMax ? PAUSE : FULL_PAUSE;
  }

  /// Who asks may have looked at the clock before another one did. When it was set back by more, it
  /// is false: nothing waits for it to come round again.
  private static boolean within(Duration time, Instant since, Instant now) {
    return Duration.between(since, now).abs().compareTo(time) < 0;
  }
}
