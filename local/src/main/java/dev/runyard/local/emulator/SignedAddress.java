package dev.runyard.local.emulator;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// An address that was signed to be used by others until some time. As everywhere in the emulators,
/// the id of the key is what shows who signed.
///
/// @param get whether it is for a get
record SignedAddress(String credential, Instant expires, boolean get) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");
  private static final String HASH = "x-amz-checksum-sha256";

  /// The address of a request; empty if it was not signed in this way.
  static Optional<SignedAddress> of(HttpExchange exchange) {
    Map<String, String> query = query(exchange);
    try {
      return query.containsKey("X-Amz-Signature")
          ? Optional.of(
              new SignedAddress(
                  query.getOrDefault("X-Amz-Credential", ""),
                  LocalDateTime.parse(query.getOrDefault("X-Amz-Date", ""), TIME)
                      .toInstant(ZoneOffset.UTC)
                      .plusSeconds(Long.parseLong(query.getOrDefault("X-Amz-Expires", "0"))),
                  !query.getOrDefault("X-Amz-SignedHeaders", "").contains("content-length")))
          : Optional.empty();
    } catch (DateTimeParseException | NumberFormatException _) {
      return Optional.empty();
    }
  }

  static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new HashMap<>();
    String raw = exchange.getRequestURI().getRawQuery();
    for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      query.put(
          parts[0], parts.length == 2 ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "");
    }
    return query;
  }

  /// The same as a header that says who signed.
  String authorization() {
    return "AWS4-HMAC-SHA256 Credential=" + credential;
  }

  /// Only puts and gets are signed in this way here. What is signed for one is refused by the
  /// other: S3 would find that the signature is another.
  boolean takes(String method, Instant now) {
    return method.equals(get ? "GET" : "PUT") && now.isBefore(expires);
  }

  /// False if a header names another hash than that of the bytes.
  static boolean isWhatWasNamed(Headers headers, byte[] hash) {
    String named = headers.getFirst(HASH);
    return named == null || named.equals(Base64.getEncoder().encodeToString(hash));
  }
}
