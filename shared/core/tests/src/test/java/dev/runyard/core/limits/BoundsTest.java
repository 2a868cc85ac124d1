package dev.runyard.core.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.json.JsonFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class BoundsTest {
  @Test
  void leavesTextWithinTheBoundAlone() {
    assertEquals("a".repeat(4096), Bounds.truncate("a".repeat(4096), 4096));
    assertEquals("", Bounds.truncate("", 0));
    assertEquals("é", Bounds.truncate("é", 2));
  }

  @Test
  void cutsOnCodePointsAndSaysSo() {
    assertEquals("💖…(truncated)", Bounds.truncate("💖".repeat(10), 20));
    assertEquals("a".repeat(4082) + "…(truncated)", Bounds.truncate("a".repeat(4097), 4096));
    assertEquals(4094, Bounds.bytes(Bounds.truncate("💖".repeat(1025), 4096)));
  }

  @Test
  void usesAsMuchOfAnEllipsisAsFits() {
    assertEquals("…", Bounds.truncate("abcdef", 3));
    assertEquals("", Bounds.truncate("abcdef", 2));
    assertEquals("", Bounds.truncate("abcdef", 0));
    assertEquals("…", Bounds.truncate("a".repeat(20), 14));
    assertEquals("a…(truncated)", Bounds.truncate("a".repeat(20), 15));
  }

  @Test
  void countsWhatUtf8Takes() {
    for (String text :
        List.of("", "a", "é", "€", "💖", "a\uD800", "\uDC00b", "\uD800\uD800\uDC00")) {
      assertEquals(
          Bounds.wellFormed(text).getBytes(StandardCharsets.UTF_8).length,
          Bounds.bytes(text),
          text);
    }
  }

  @Test
  void replacesLoneSurrogatesOnly() {
    assertEquals("a\uFFFDb", Bounds.wellFormed("a\uD800b"));
    assertEquals("\uFFFD💖\uFFFD", Bounds.wellFormed("\uDC00💖\uD83D"));
    assertEquals("💖", Bounds.wellFormed("💖"));
    assertTrue(Bounds.isWellFormed("💖 a"));
    assertFalse(Bounds.isWellFormed("\uD83D"));
  }

  @Test
  void splitsOnCodePointsAndLosesNothing() {
    assertEquals(List.of("ab", "c"), Bounds.split("abc", 2));
    assertEquals(List.of("a", "💖", "b"), Bounds.split("a💖b", 4));
    assertEquals(List.of(""), Bounds.split("", 4));
    assertEquals(
        List.of(65_536, 4),
        Bounds.split("💖".repeat(16_385), 65_536).stream().map(Bounds::bytes).toList());
    assertEquals(
        List.of(65_533, 4),
        Bounds.split("a" + "💖".repeat(16_384), 65_536).stream().map(Bounds::bytes).toList());
  }

  @Test
  void refusesToSplitIntoPiecesNoCodePointFitsIn() {
    assertThrows(IllegalArgumentException.class, () -> Bounds.split("💖💖", 3));
  }

  @Test
  void keepsItsBoundsForAnyText() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 2000; i++) {
      String text = anyText(random);
      int max = random.nextInt(4, 64);

      List<String> pieces = Bounds.split(text, max);
      String cut = Bounds.truncate(text, max);

      assertEquals(text, String.join("", pieces));
      assertTrue(pieces.stream().allMatch(piece -> Bounds.bytes(piece) <= max));
      assertTrue(Bounds.bytes(cut) <= max);
      assertTrue(cut.equals(text) || cut.startsWith("…") || cut.endsWith(Bounds.TRUNCATED));
    }
  }

  private static String anyText(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(80); i > 0; i--) {
      text.append(
          switch (random.nextInt(6)) {
            case 0 -> "é";
            case 1 -> "€";
            case 2 -> "💖";
            case 3 -> "\uD83D";
            default -> "a";
          });
    }
    return text.toString();
  }

  @Test
  void leavesBothEndsWhereThereIsRoomForThem() {
    String between = "\n" + Bounds.TRUNCATED + "\n";
    int least = Bounds.bytes(between);

    assertEquals("ab" + between + "yz", Bounds.ends("abcdefghijklmnopqrstuvwxyz", least + 4));
    assertEquals("a" + between + "yz", Bounds.ends("abcdefghijklmnopqrstuvwxyz", least + 3));
    assertEquals(Bounds.truncate("a".repeat(99), least), Bounds.ends("a".repeat(99), least));
    assertEquals("", Bounds.ends("a".repeat(99), 0));
  }

  @Test
  void cutsAnEndOnCodePoints() {
    String between = "\n" + Bounds.TRUNCATED + "\n";

    assertEquals("a" + between + "💖", Bounds.ends("a💖".repeat(20), Bounds.bytes(between) + 5));
  }

  @Test
  void keepsDataUpToItsBound() {
    JsonNode data = JsonNodeFactory.instance.objectNode().put("a", "é");

    assertEquals(data, Bounds.data(data, 10));
    assertEquals("{\"dropped\":{\"reason\":\"oversize\"}}", Bounds.data(data, 9).toString());
  }

  /// What is stored stands some levels deep, and is read again with a bound.
  @Test
  void keepsNoDataThatIsNestedTooDeep() throws Exception {
    String deep = "[".repeat(Bounds.DATA_DEPTH_MAX) + "]".repeat(Bounds.DATA_DEPTH_MAX);
    JsonNode data = JsonFormat.JSON.readTree(deep);

    assertEquals(data, Bounds.data(data, Bounds.DATA_BYTES_MAX));
    assertEquals(
        "{\"dropped\":{\"reason\":\"oversize\"}}",
        Bounds.data(JsonFormat.JSON.readTree("[" + deep + "]"), Bounds.DATA_BYTES_MAX).toString());
  }

  @Test
  void replacesTheFirstAndTheLastSurrogate() {
    assertEquals("\uFFFD", Bounds.wellFormed("\uD800"));
    assertEquals("\uFFFD", Bounds.wellFormed("\uDFFF"));
    assertEquals("\uD7FF\uE000", Bounds.wellFormed("\uD7FF\uE000"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "é", "€", "💖"})
  void leavesBothEndsOfALongText(String piece) {
    String text = "begin" + piece.repeat(3000) + "end";
    String ends = Bounds.ends(text, 1000);
    assertTrue(Bounds.bytes(ends) <= 1000 && Bounds.bytes(ends) > 980, ends);
    assertTrue(Bounds.isWellFormed(ends));
    assertTrue(ends.startsWith("begin" + piece) && ends.endsWith(piece + "end"), ends);
    assertTrue(ends.contains("\n" + Bounds.TRUNCATED + "\n"));
    assertEquals(text, Bounds.ends(text, Bounds.bytes(text)));
    assertTrue(Bounds.bytes(Bounds.ends(text, 5)) <= 5);
  }
}
