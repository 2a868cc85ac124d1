package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.StreamToken;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.http.Caller;
import dev.runyard.functions.http.CallerCheck;
import dev.runyard.functions.http.Query;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// Knows a caller by the stream token in the query of a request. Whatever is wrong with it, the
/// answer is the same, and one after which no browser connects again by itself.
///
/// @param keys tells whether the key still stands with which a token was asked for
record StreamTokenCheck(StreamTokens tokens, KeyCheck keys, InstantSource clock) {
  /// The parameter of the query.
  static final String PARAMETER = "stream_token";

  private static final CallerCheck.Result REFUSED =
      new CallerCheck.Result.Refused(
          Problem.of(
              ProblemCode.UNAUTHENTICATED,
              "This stream token is not valid for this run, or no longer. Ask for another with"
                  + " POST /v1/runs/{id}/stream-tokens."));

  /// Whether a caller may still read.
  Admission admission(Caller caller) {
    return new Admission(caller.identity(), keys, clock);
  }

  /// Whether the caller may read the run that the path names; empty if it shows no stream token.
  Optional<CallerCheck.Result> check(HttpExchange exchange, Map<String, String> names) {
    Optional<String> shown =
        Query.parse(exchange.getRequestURI().getRawQuery(), EventsRequest.PARAMETERS)
            .text(PARAMETER);
    shown.ifPresent(_ -> exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer"));
    return shown.map(
        text ->
            StreamToken.hash(text)
                .flatMap(tokens::find)
                .filter(token -> token.opens(names.getOrDefault("id", ""), clock.instant()))
                .filter(token -> token.key().map(keys::stands).orElse(true))
                .<CallerCheck.Result>map(
                    token -> new CallerCheck.Result.Admitted(new Caller(token.identity())))
                .orElse(REFUSED));
  }
}
