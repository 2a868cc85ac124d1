package dev.runyard.local.http;

import java.util.Locale;
import java.util.Optional;

/// The headers of a request that say who calls.
final class CallerHeaders {
  /// What the web adapter says of a request; on AWS it overwrites the one of a client.
  static final String CONTEXT = "x-amzn-request-context";

  private static final String TENANT = "x-amz-tenant-id";
  private static final String AUTHORIZATION = "authorization";

  private CallerHeaders() {}

  /// Whether no function gets this header of a client: because it is not for clients to say, or
  /// because it has the stack's access token.
  ///
  /// @param principal who has shown that token
  static boolean isForged(String name, Optional<String> principal) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case CONTEXT, TENANT -> true;
      case AUTHORIZATION -> principal.isPresent();
      default -> false;
    };
  }
}
