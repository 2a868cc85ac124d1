package dev.runyard.core.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The order in which a sweep looks at what is due, if it may end before it has looked at all:
/// every minute another one comes first, so that none is passed over for good.
public final class Rotation {
  private static final int PERIOD_SECONDS = 60;

  /// A prime, so that every place comes first before one does so again.
  private static final long STRIDE = 2_654_435_761L;

  private Rotation() {}

  public static <T> List<T> of(List<T> due, Instant now) {
    List<T> rotated = new ArrayList<>(due);
    if (!rotated.isEmpty()) {
      long minute = now.getEpochSecond() / PERIOD_SECONDS;
      Collections.rotate(rotated, -(int) Math.floorMod(minute * STRIDE, (long) rotated.size()));
    }
    return rotated;
  }
}
