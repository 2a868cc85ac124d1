package dev.runyard.functions.stream;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.http.Query;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// What a reader of events asks for, by the rules that all logs have in common.
///
/// @param after the sequence of the last event the client has; `Last-Event-ID` wins over the query
/// @param limit most events of a page
/// @param patience how long a page without events is held back
/// @param told which facts between events are asked for; a client that counts events may not know
///   them, so it gets what it must know alone unless it says otherwise
record FeedRequest(
    long after, int limit, Duration patience, boolean asStream, Optional<String> told) {
  static final int LIMIT_MAX = 1000;
  static final int LIMIT_DEFAULT = 100;
  static final int WAIT_SECONDS_MAX = 20;
  private static final String ALL = "all";
  private static final String GAPS = "gaps";

  static final Set<String> PARAMETERS = Set.of("after", "limit", "wait", "view", "told");

  /// Reads it; what is wrong is a problem of the query.
  static FeedRequest of(HttpExchange exchange, Query query) {
    Headers headers = exchange.getRequestHeaders();
    String last = headers.getFirst("Last-Event-ID");
    long after = query.whole("after", 0, Long.MAX_VALUE, 0);
    if (last != null) {
      after = query.whole("Last-Event-ID", last, 0, Long.MAX_VALUE, 0);
    }
    long limit = query.whole("limit", 1, LIMIT_MAX, LIMIT_DEFAULT);
    long wait = query.whole("wait", 0, WAIT_SECONDS_MAX, 0);
    return new FeedRequest(
        after, (int) limit, Duration.ofSeconds(wait), wantsStream(headers), told(query));
  }

  /// Whether a reader is told all that concerns it, or only what is missing or does not follow.
  ///
  /// @param strict whether it reads in the strict profile's view, whose readers know all types
  boolean tellsAll(boolean strict) {
    return told.map(ALL::equals).orElse(strict);
  }

  private static Optional<String> told(Query query) {
    Optional<String> told = query.text("told");
    if (told.isPresent() && !Set.of(ALL, GAPS).contains(told.get())) {
      query.refuse(
          ProblemCode.INVALID_REQUEST, "told must be one of: %s, %s.".formatted(GAPS, ALL));
    }
    return told;
  }

  private static boolean wantsStream(Headers headers) {
    return headers.getOrDefault("Accept", List.of()).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(SseFrames.CONTENT_TYPE));
  }
}
