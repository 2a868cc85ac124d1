package dev.runyard.cli.show;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an agent prints is not what it does to a terminal.
final class SafeTextTest {
  @ParameterizedTest
  @ValueSource(
      ints = {
        0x0, 0x7, 0x8, 0xd, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9d, 0x61c, 0x200e, 0x200f, 0x2028,
        0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069
      })
  void leavesOutWhatMovesHidesOrTurnsText(int c) {
    String text = "rm " + Character.toString(c) + "x";
    assertEquals("rm x", SafeText.block(text));
    assertEquals("rm x", SafeText.line(text));
  }

  @Test
  void leavesOutWholeSequences() {
    assertEquals(
        "title red",
        SafeText.block(
            "\u001b]0;owned\u0007title \u001b[31;1mred\u001b[0m\u001b[2J\u001b]8;;x\u001b\\"));
  }

  @Test
  void keepsTextOfAllLanguages() {
    String text = "a\tb\nשלום مرحبا 🙂👩‍💻 é";
    assertEquals(text, SafeText.block(text));
  }

  @Test
  void writesJsonThatMeansTheSame() throws IOException {
    String text = "\u202e\u2066\u009b31m\u2028🙂שלום";
    ObjectMapper mapper = new ObjectMapper();
    String json = SafeText.json(mapper.writeValueAsString(text));
    assertEquals("\"\\u202e\\u2066\\u009b31m\\u2028🙂שלום\"", json);
    assertEquals(text, mapper.readValue(json, String.class));
  }
}
