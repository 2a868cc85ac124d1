package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/// How a key of letters, digits and dashes looks where it is printed: as it is, in hexadecimal
/// digits, percent-encoded, and as a part of something in base64, where it begins at one of three
/// places of a group.
public final class KeyForms {
  private static final int GROUP_BYTES = 3;
  private static final HexFormat HEX = HexFormat.of();

  private KeyForms() {}

  /// Fails if a key is in a text in any form, also where its lines are broken.
  public static void assertNone(String key, String text) {
    String joined = text.replace("\\r", "").replace("\\n", "").replaceAll("[\r\n]", "");
    String lower = joined.toLowerCase(Locale.ROOT);
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    assertFalse(joined.contains(key), "the key itself");
    for (HexFormat form : List.of(HEX, HexFormat.ofDelimiter(" "), HEX.withPrefix("%"))) {
      String digits = form.formatHex(bytes);
      assertFalse(lower.contains(digits), digits);
    }
    for (String digits : groups(bytes)) {
      assertFalse(joined.contains(digits), digits);
    }
  }

  /// The digits in base64 that are the same whatever surrounds the key.
  private static List<String> groups(byte[] key) {
    List<String> groups = new ArrayList<>();
    for (int from = 0; from < GROUP_BYTES; from++) {
      int length = (key.length - from) / GROUP_BYTES * GROUP_BYTES;
      byte[] whole = Arrays.copyOfRange(key, from, from + length);
      groups.add(Base64.getEncoder().encodeToString(whole));
      groups.add(Base64.getUrlEncoder().encodeToString(whole));
    }
    return groups;
  }
}
