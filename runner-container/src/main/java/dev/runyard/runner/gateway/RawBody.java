package dev.runyard.runner.gateway;

import com.fasterxml.jackson.core.JsonParser;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The bytes of a JSON text. A string of it may be nearly all of it, so it is looked at here and
/// not made a text of its own.
@SuppressWarnings("ArrayRecordComponent")
record RawBody(byte[] bytes) {
  private static final int WORD_BYTES_MAX = 64;
  private static final String DATA = "data:";

  /// True if the string at which a parser is has contents itself, in base64 or as a `data:`
  /// address, and does not say where they are.
  boolean holdsContents(JsonParser string) {
    int from = start(string);
    if (isData(from)) {
      return true;
    }
    int at = from;
    while (isBase64(at(at)) || (at(at) == '\\' && at(at + 1) == '/')) {
      at++;
    }
    return at(at) == '"';
  }

  /// The string at which a parser is, if it is short and has no escapes.
  Optional<String> word(JsonParser string) {
    int from = start(string);
    int to = from;
    while (to - from <= WORD_BYTES_MAX && at(to) != '"') {
      if (at(to) == '\\') {
        return Optional.empty();
      }
      to++;
    }
    return at(to) == '"'
        ? Optional.of(new String(bytes, from, to - from, StandardCharsets.UTF_8))
        : Optional.empty();
  }

  private static int start(JsonParser string) {
    return Math.toIntExact(string.currentTokenLocation().getByteOffset()) + 1;
  }

  private boolean isData(int from) {
    for (int i = 0; i < DATA.length(); i++) {
      if (Character.toLowerCase(at(from + i)) != DATA.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /// The byte at a place; 0, which no string has, behind the end.
  private char at(int place) {
    return place < bytes.length ? (char) (bytes[place] & 0xff) : 0;
  }

  private static boolean isBase64(char next) {
    return (next >= 'a' && next <= 'z')
        || (next >= 'A' && next <= 'Z')
        || (next >= '0' && next <= '9')
        || "+/=-_".indexOf(next) >= 0;
  }
}
