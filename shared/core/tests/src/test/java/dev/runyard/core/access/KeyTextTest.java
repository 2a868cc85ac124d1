package dev.runyard.core.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.Digest;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class KeyTextTest {
  private final Random random = new Random(11);

  @Test
  void isKnownByItsForm() {
    String text = KeyText.drawn(random).secret();

    assertTrue(KeyText.FORM.matcher(text).matches(), text);
    assertEquals(39, text.length());
  }

  @Test
  void isReadAsItWasShown() {
    KeyText drawn = KeyText.drawn(random);

    assertEquals(Optional.of(drawn.hash()), KeyText.shown(drawn.secret()).map(KeyText::hash));
    assertEquals(Digest.hex(drawn.secret()), drawn.hash());
  }

  @Test
  void isRefusedWhereOneCharacterDiffers() {
    String text = KeyText.drawn(random).secret();

    for (int i = 0; i < text.length(); i++) {
      char other = text.charAt(i) == 'a' ? 'b' : 'a';
      String changed = text.substring(0, i) + other + text.substring(i + 1);
      assertFalse(KeyText.shown(changed).isPresent(), changed);
    }
  }

  @Test
  void isRefusedInAnyOtherForm() {
    String text = KeyText.drawn(random).secret();

    for (String wrong :
        new String[] {
          "", "ry_", text + "a", " " + text, text.substring(1), text.toUpperCase(Locale.ROOT)
        }) {
      assertFalse(KeyText.shown(wrong).isPresent(), wrong);
    }
  }

  @Test
  void isNeverTheSameTwiceAndShowsItselfToNoLog() {
    Set<String> drawn = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      drawn.add(KeyText.drawn(random).secret());
    }

    assertEquals(1000, drawn.size());
    assertEquals("a key", KeyText.drawn(random).toString());
  }
}
