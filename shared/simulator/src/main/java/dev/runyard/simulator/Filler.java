package dev.runyard.simulator;

import dev.runyard.core.limits.Bounds;
import java.util.Random;

/// Text that takes much room: characters that need several bytes each, or that compress badly.
final class Filler {
  private static final int HAN_FIRST = 0x4e00;
  private static final int HAN_COUNT = 20_000;
  private static final int CONTROL_COUNT = 31;
  private static final int PRINTED_FIRST = 0x21;
  private static final int PRINTED_COUNT = 94;

  private Filler() {}

  /// The same text for the same name, with at most this many bytes.
  static String of(String name, int bytes) {
    Random random = new Random(name.hashCode());
    int kind = random.nextInt(3);
    StringBuilder text = new StringBuilder(name).append(' ');
    int left = bytes - Bounds.bytes(text.toString());
    int width = kind == 0 ? 3 : 1;
    for (int i = 0; i < left / width; i++) {
      int character =
          switch (kind) {
            case 0 -> HAN_FIRST + random.nextInt(HAN_COUNT);
            case 1 -> 1 + random.nextInt(CONTROL_COUNT);
            default -> PRINTED_FIRST + random.nextInt(PRINTED_COUNT);
          };
      text.appendCodePoint(character);
    }
    return text.toString();
  }
}
