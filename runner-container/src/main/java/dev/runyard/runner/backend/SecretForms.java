package dev.runyard.runner.backend;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// How a secret's value looks where it is printed: as it is, escaped for JSON, percent-encoded, in
/// hexadecimal digits, and as a part of something in base64, where it begins at one of three places
/// of a group.
final class SecretForms {
  /// Shorter values are not looked for: they would be found in texts that do not contain them.
  static final int SECRET_BYTES_MIN = 8;

  private static final int GROUP_BYTES = 3;
  private static final int BYTE_BITS = 8;
  private static final int DIGIT_BITS = 6;
  private static final String UNRESERVED = "-._~";

  /// What some encoders leave as it is besides: of a component, of a whole address, of a form.
  private static final List<String> LEFT_PLAIN = List.of("", "!'()*", "!'()*;/?:@&=+$,#", "*");

  /// What programs besides escape in JSON that may end up in a page, and how: Go, Gson, and .NET.
  private static final Map<String, String> WEB_SAFE =
      Map.of("<>&", "\\u%04x", "<>&='", "\\u%04x", "<>&+'`\"", "\\u%04X");

  private static final HexFormat HEX = HexFormat.of();

  private SecretForms() {}

  /// The forms of a value and of each of its longer lines, but for digits; none if it is too short.
  static Set<String> of(String value) {
    Set<String> forms = new LinkedHashSet<>();
    longer(value).forEach(each -> add(forms, each));
    forms.removeIf(form -> form.length() < SECRET_BYTES_MIN);
    return forms;
  }

  /// The same in base64 and in hexadecimal digits, which programs break into lines.
  static Set<String> digits(String value) {
    Set<String> forms = new LinkedHashSet<>();
    for (String each : longer(value)) {
      byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
      forms.add(HEX.formatHex(bytes));
      forms.add(HEX.withUpperCase().formatHex(bytes));
      for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
        for (int before = 0; before < GROUP_BYTES; before++) {
          forms.add(digits(encoder, bytes, before));
        }
      }
    }
    return forms;
  }

  private static List<String> longer(String value) {
    return Stream.concat(Stream.of(value), value.lines().map(String::strip))
        .filter(each -> each.getBytes(StandardCharsets.UTF_8).length >= SECRET_BYTES_MIN)
        .toList();
  }

  private static void add(Set<String> forms, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    forms.add(value);
    addEscaped(forms, value);
    for (String plain : LEFT_PLAIN) {
      String percent = percent(bytes, plain);
      forms.add(percent);
      forms.add(percent.replace("%20", "+"));
      forms.add(lowerHex(percent));
    }
    String each = HEX.withPrefix("%").withUpperCase().formatHex(bytes);
    forms.add(each);
    forms.add(lowerHex(each));
  }

  /// Escaped for JSON as most programs do it, with a slash escaped, in ASCII only, and once more.
  private static void addEscaped(Set<String> forms, String value) {
    String json = escaped(value);
    String ascii = ascii(json);
    for (String form : List.of(json, json.replace("/", "\\/"), ascii)) {
      forms.add(form);
      forms.add(escaped(form));
    }
    WEB_SAFE.forEach(
        (characters, form) -> {
          forms.add(webSafe(value, characters, form));
          forms.add(escaped(webSafe(value, characters, form)));
        });
    forms.add(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
  }

  private static String webSafe(String value, String characters, String form) {
    StringBuilder text = new StringBuilder();
    value
        .chars()
        .forEach(
            c ->
                text.append(
                    characters.indexOf(c) >= 0
                        ? form.formatted(c)
                        : escaped(String.valueOf((char) c))));
    return text.toString();
  }

  private static String escaped(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  private static String ascii(String text) {
    StringBuilder ascii = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      ascii.append(c < 0x7f ? String.valueOf(c) : "\\u%04x".formatted((int) c));
    }
    return ascii.toString();
  }

  /// The digits that depend on the value alone, when this many bytes of a group come before it.
  private static String digits(Base64.Encoder encoder, byte[] bytes, int before) {
    byte[] shifted = new byte[before + bytes.length];
    System.arraycopy(bytes, 0, shifted, before, bytes.length);
    int first = Math.ceilDiv(before * BYTE_BITS, DIGIT_BITS);
    int end = shifted.length * BYTE_BITS / DIGIT_BITS;
    return encoder.encodeToString(shifted).substring(first, end);
  }

  /// @param left characters that stay as they are, besides those that every encoder leaves
  private static String percent(byte[] bytes, String left) {
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      char c = (char) (each & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || UNRESERVED.indexOf(c) >= 0
              || left.indexOf(c) >= 0;
      text.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return text.toString();
  }

  /// Percent-encoded text with small hexadecimal digits.
  private static String lowerHex(String percent) {
    String[] parts = percent.split("%", -1);
    StringBuilder text = new StringBuilder(parts[0]);
    Arrays.stream(parts, 1, parts.length)
        .forEach(
            part ->
                text.append('%')
                    .append(part.substring(0, 2).toLowerCase(Locale.ROOT))
                    .append(part.substring(2)));
    return text.toString();
  }
}
