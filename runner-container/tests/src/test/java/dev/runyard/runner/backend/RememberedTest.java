package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RememberedTest {
  private static final String QUARTER = "x".repeat(Remembered.REMEMBERED_CHARS_MAX / 4);

  private final Remembered<String> remembered = new Remembered<>(3, String::length);

  @Test
  void keepsTheNewest() {
    List.of("a", "b", "c", "d").forEach(name -> remembered.put(name, "of " + name));

    assertNull(remembered.get("a"));
    assertEquals(List.of("of b", "of c", "of d"), remembered.values());
  }

  @Test
  void keepsThePlaceOfWhatIsPutAgain() {
    List.of("a", "b", "c", "a", "d").forEach(name -> remembered.put(name, name));

    assertEquals(List.of("b", "c", "d"), remembered.values());
  }

  @Test
  void forgetsTheOldestWhereValuesAreLong() {
    remembered.put("a", QUARTER + QUARTER);
    remembered.put("b", QUARTER);
    assertTrue(remembered.has("a"));

    remembered.put("b", QUARTER + QUARTER);

    assertFalse(remembered.has("a"));
    assertTrue(remembered.has("b"));
  }

  @Test
  void forgetsTheOldestWhereNamesAreLong() {
    for (int i = 0; i < 3; i++) {
      remembered.put(i + QUARTER + QUARTER, "");
    }

    assertEquals(1, remembered.values().size());
    assertTrue(remembered.has(2 + QUARTER + QUARTER));
  }

  @Test
  void keepsTheOnlyOneHoweverLong() {
    remembered.put("a", QUARTER.repeat(5));
    assertTrue(remembered.has("a"));

    remembered.put("b", "");

    assertEquals(List.of(""), remembered.values());
  }

  @Test
  void hasRoomAgainForWhatIsForgottenOrShorter() {
    remembered.put("a", QUARTER.repeat(3));
    remembered.forget("a");
    remembered.forget("never known");
    remembered.put("b", QUARTER.repeat(3));
    remembered.put("b", "short");
    remembered.put("c", QUARTER.repeat(3));

    assertTrue(remembered.has("b"));
    assertTrue(remembered.has("c"));
  }

  @Test
  void knowsATextAgainUnlessNoLineCanRepeatIt() {
    ToldText told = new ToldText();
    told.add("Hel");
    told.add("lo");
    assertEquals(" you", told.rest("Hello you"));
    assertEquals("Hi", told.rest("Hi"));
    assertTrue(told.drop("Hel"));
    assertFalse(told.drop("Hel"));
    assertTrue(told.begins("lo"));

    told.add("x".repeat(ToldText.TOLD_CHARS_MAX));
    told.add("more");

    assertEquals(0, told.chars());
    assertFalse(told.isEmpty());
    assertEquals("lo", told.rest("lo"));
    told.clear();
    assertTrue(told.isEmpty());
  }
}
