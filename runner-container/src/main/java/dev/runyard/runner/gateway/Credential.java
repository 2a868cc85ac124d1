package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.runner.gateway.RequestHead.Header;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Puts the provider's key where the agent put the attempt's token.
///
/// @param token the attempt's
/// @param key the provider's; empty if it asks for none
record Credential(String token, Optional<String> key) {
  private static final Set<String> HEADERS =
      Set.of("authorization", "x-api-key", "x-goog-api-key", "api-key");

  private static final String BEARER = "Bearer ";

  /// The headers for the provider. Any other credential of the agent is left out.
  List<Header> headers(List<Header> sent, ModelApi api) {
    List<Header> headers = new ArrayList<>();
    boolean put = false;
    for (Header header : sent) {
      if (!HEADERS.contains(header.name())) {
        headers.add(header);
      } else if (!put && key.isPresent() && isToken(header.value())) {
        put = true;
        headers.add(new Header(header.name(), header.value().replace(token, key.get())));
      }
    }
    if (!put) {
      key.ifPresent(secret -> headers.add(usual(secret, api)));
    }
    return headers;
  }

  /// True for the token alone or after its scheme. With anything else around it the provider would
  /// get, and perhaps tell, a key that is not quite its own.
  private boolean isToken(String value) {
    return (value.regionMatches(true, 0, BEARER, 0, BEARER.length())
            ? value.substring(BEARER.length()).strip()
            : value)
        .equals(token);
  }

  /// The query without a key, with the question mark; empty if nothing is left.
  static String query(String query) {
    String kept =
        Arrays.stream(query.split("&", -1))
            .filter(part -> !part.isEmpty() && !part.split("=", 2)[0].equalsIgnoreCase("key"))
            .collect(Collectors.joining("&"));
    return kept.isEmpty() ? "" : "?" + kept;
  }

  private static Header usual(String key, ModelApi api) {
    return switch (api) {
      case RESPONSES, CHAT_COMPLETIONS -> new Header("authorization", "Bearer " + key);
      case MESSAGES -> new Header("x-api-key", key);
      case GEMINI -> new Header("x-goog-api-key", key);
    };
  }
}
