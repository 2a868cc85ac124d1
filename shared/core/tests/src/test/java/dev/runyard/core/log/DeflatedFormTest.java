package dev.runyard.core.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DeflatedFormTest {
  private static final byte[] TEXT =
      "the same words, and the same words".getBytes(StandardCharsets.UTF_8);
  private static final DeflatedForm PLAIN = new DeflatedForm(1);
  private static final DeflatedForm PRESET = new DeflatedForm(2, TEXT);

  @Test
  void returnsWhatWasDeflatedUnderItsName() {
    for (byte[] bytes : List.of(new byte[0], new byte[100_000], TEXT)) {
      assertEquals(1, PLAIN.deflate(bytes)[0]);
      assertArrayEquals(bytes, PLAIN.inflate(PLAIN.deflate(bytes)));
      assertArrayEquals(bytes, PRESET.inflate(PRESET.deflate(bytes)));
    }
    assertTrue(PRESET.deflate(TEXT).length < PLAIN.deflate(TEXT).length / 2);
  }

  @Test
  void refusesBytesOfNoFormOrAnother() {
    byte[] good = PLAIN.deflate(TEXT);
    byte[] damaged = good.clone();
    Arrays.fill(damaged, 1, good.length, (byte) 0xFF);

    for (byte[] bad :
        List.of(
            new byte[0],
            new byte[] {1},
            PRESET.deflate(TEXT),
            damaged,
            Arrays.copyOf(good, good.length - 1))) {
      assertThrows(IllegalArgumentException.class, () -> PLAIN.inflate(bad));
    }
  }

  @Test
  void inflatesToNoMoreThanItMay() {
    byte[] most = new byte[DeflatedForm.INFLATED_BYTES_MAX];
    assertEquals(most.length, PLAIN.inflate(PLAIN.deflate(most)).length);

    byte[] tooMany = PLAIN.deflate(new byte[most.length + 1]);
    assertThrows(IllegalArgumentException.class, () -> PLAIN.inflate(tooMany));
  }
}
