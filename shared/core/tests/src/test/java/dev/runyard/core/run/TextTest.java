package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTest {
  private static final int MAX = Limits.TEXT_BYTES_MAX;

  @Test
  void growsAtItsEndAndLeavesEarlierTextsAlone() {
    Text one = Text.of("one");
    Text two = one.plus(" two");
    Text other = one.plus(" other");

    assertEquals("one", one.value());
    assertEquals("one two", two.value());
    assertEquals("one other", other.toString());
  }

  @Test
  void isEqualByItsValue() {
    assertEquals(Text.of("ab").plus("c"), Text.of("a").plus("bc"));
    assertEquals(Text.of("ab").plus("c").hashCode(), Text.of("abc").hashCode());
    assertNotEquals(Text.of("abc"), Text.of("abd"));
    assertTrue(Text.EMPTY.plus("").isEmpty());
    assertFalse(Text.of(" ").isEmpty());
  }

  @Test
  void holdsAsMuchAsTheLimitWithoutCutting() {
    String full = "a".repeat(MAX);

    assertEquals(full, Text.of("a".repeat(MAX - 1)).plus("a").value());
    assertEquals(full, Text.of(full).plus("").value());
  }

  @Test
  void cutsWhatIsBeyondTheLimit() {
    Text text = Text.of("a".repeat(MAX)).plus("b").plus("c".repeat(MAX)).plus("d");

    assertEquals(MAX, Bounds.bytes(text.value()));
    assertTrue(text.value().endsWith("a" + Bounds.TRUNCATED));
  }

  @Test
  void growsNoMoreOnceItIsFull() {
    Text full = Text.of("a".repeat(MAX / 2)).plus("a".repeat(MAX / 2));
    assertNotSame(full, full.plus("b"));

    Text over = full.plus("b");

    assertSame(over, over.plus("c"));
  }

  @Test
  void holdsAHundredThousandPieces() {
    Text text = Text.EMPTY;
    for (int i = 0; i < 100_000; i++) {
      text = text.plus("12");
    }

    assertEquals(MAX, Bounds.bytes(text.value()));
    assertTrue(text.value().endsWith("12" + Bounds.TRUNCATED));
  }

  /// A snapshot keeps only the value. What is folded onto it must give what the whole log gives.
  @Test
  void comesToTheSameFromASnapshotAsFromTheLog() {
    for (String beginning : List.of("", "a", "aa", "aaa")) {
      for (String piece : List.of("a", "é", "€", "💖", "…")) {
        int count = MAX / Bounds.bytes(piece) - 8;
        for (int more = 0; more < 16; more++) {
          Text whole = Text.of(beginning + piece.repeat(count + more));
          Text restored = Text.restored(whole.value());

          assertTrue(whole.equals(restored), beginning + piece + "+" + more);
          assertTrue(
              whole.plus("x").plus("yz").equals(restored.plus("x").plus("yz")),
              beginning + piece + "+" + more);
        }
      }
    }
  }
}
