package dev.runyard.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.limits.Bounds;
import dev.runyard.needs.NeedsStandards;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The standard's own cases of cutting and splitting. [BoundsTest] has ours.
@NeedsStandards
final class BoundsVectorsTest {
  private static final Pattern REPEATED = Pattern.compile("(.+)\\*(\\d+)");

  @Test
  void cutsAsTheStandardSays() {
    for (JsonNode one : cases("truncate")) {
      String in = text(one.get("in").textValue());
      String cut = Bounds.truncate(in, one.get("bound").intValue());
      if (one.has("out")) {
        assertEquals(one.get("out").textValue(), cut);
      } else if (one.has("out_bytes")) {
        assertEquals(one.get("out_bytes").intValue(), Bounds.bytes(cut));
      } else {
        assertEquals(in, cut);
      }
      if (one.has("prefix_len")) {
        int kept = one.get("prefix_len").intValue();
        assertEquals(in.substring(0, kept) + Bounds.TRUNCATED, cut);
      }
    }
  }

  @Test
  void splitsAsTheStandardSays() {
    for (JsonNode one : cases("text_split")) {
      JsonNode sizes = one.has("chunks") ? one.get("chunks") : one.get("chunks_bytes");
      assertEquals(
          sizes.toString(),
          Bounds.split(text(one.get("in").textValue()), 65_536).stream()
              .map(Bounds::bytes)
              .toList()
              .toString()
              .replace(" ", ""));
    }
  }

  private static JsonNode cases(String name) {
    JsonNode cases = StandardVectors.read().get(name);
    assertTrue(cases.size() > 0, name);
    return cases;
  }

  /// The text a case describes: `a*3` repeats, ` + ` joins, anything else stands for itself.
  private static String text(String description) {
    StringBuilder text = new StringBuilder();
    for (String part : description.replaceAll(" \\(\\d+ bytes\\)", "").split(" \\+ ", -1)) {
      Matcher repeated = REPEATED.matcher(part);
      text.append(
          repeated.matches()
              ? repeated.group(1).repeat(Integer.parseInt(repeated.group(2)))
              : part);
    }
    return text.toString();
  }
}
