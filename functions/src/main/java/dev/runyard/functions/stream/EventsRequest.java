package dev.runyard.functions.stream;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.read.Protocol;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A request to `/v1/runs/{id}/events`.
///
/// @param after the sequence of the last event the client has; `Last-Event-ID` wins over the query
/// @param limit most events of a page
/// @param patience how long a page without events is held back
record EventsRequest(
    RunKey run, long after, int limit, Duration patience, Protocol view, boolean asStream) {
  static final int LIMIT_MAX = 1000;
  static final int LIMIT_DEFAULT = 100;
  static final int WAIT_SECONDS_MAX = 20;
  static final Set<String> PARAMETERS =
      Set.of("after", "limit", "wait", "view", StreamTokenCheck.PARAMETER);

  /// The result of reading a request.
  sealed interface Result {
    record Read(EventsRequest request) implements Result {}

    record Refused(Reply reply) implements Result {}
  }

  static Result read(StreamRequest request) {
    HttpExchange exchange = request.exchange();
    Query query = Query.parse(exchange.getRequestURI().getRawQuery(), PARAMETERS);
    Headers headers = exchange.getRequestHeaders();
    String last = headers.getFirst("Last-Event-ID");
    long after = query.whole("after", 0, Long.MAX_VALUE, 0);
    if (last != null) {
      after = query.whole("Last-Event-ID", last, 0, Long.MAX_VALUE, 0);
    }
    long limit = query.whole("limit", 1, LIMIT_MAX, LIMIT_DEFAULT);
    long wait = query.whole("wait", 0, WAIT_SECONDS_MAX, 0);
    Optional<Protocol> view = Protocol.of(query.text("view").orElse(Protocol.RUNTIME.wire()));
    if (view.isEmpty()) {
      query.refuse(
          ProblemCode.INVALID_REQUEST, "view must be one of: %s.".formatted(Protocol.names()));
    }
    if (query.problem().isPresent()) {
      return new Result.Refused(Reply.of(query.problem().get()));
    }
    Optional<RunKey> run = request.run();
    return run.isEmpty()
        ? new Result.Refused(Reply.runNotFound())
        : new Result.Read(
            new EventsRequest(
                run.get(),
                after,
                (int) limit,
                Duration.ofSeconds(wait),
                view.orElse(Protocol.RUNTIME),
                wantsStream(headers)));
  }

  static boolean wantsStream(Headers headers) {
    return headers.getOrDefault("Accept", List.of()).stream()
        .anyMatch(accept -> accept.toLowerCase(Locale.ROOT).contains(SseFrames.CONTENT_TYPE));
  }
}
