package dev.runyard.functions.api;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where a list of jobs or of tasks goes on, in a form that callers have no reason to read.
final class PlaceCursor {
  private static final Pattern PLACE = Pattern.compile("[0-9]{13}#[A-Za-z0-9._-]{1,128}");

  private PlaceCursor() {}

  static String of(String place) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(place.getBytes(StandardCharsets.US_ASCII));
  }

  /// The place; empty if this is no cursor of such a list.
  static Optional<String> place(String cursor) {
    try {
      String place = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      return Optional.of(place).filter(text -> PLACE.matcher(text).matches());
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
