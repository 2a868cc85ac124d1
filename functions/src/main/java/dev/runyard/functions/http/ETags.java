package dev.runyard.functions.http;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Conditional reads: a client that has the current answer gets none.
public final class ETags {
  private static final String HEADER = "If-None-Match";

  private ETags() {}

  /// True if the client says that it has the answer with this tag.
  public static boolean has(RoutedRequest request, String tag) {
    @Nullable String header = request.header(HEADER);
    return header != null
        && Arrays.stream(header.split(",", -1))
            .map(String::strip)
            .map(given -> given.startsWith("W/") ? given.substring(2) : given)
            .anyMatch(given -> given.equals("*") || given.equals(tag));
  }
}
