package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.read.Protocol;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A request to `/v1/runs/{id}/events`.
record EventsRequest(RunKey run, FeedRequest feed, Protocol view) {
  static final Set<String> PARAMETERS =
      Stream.concat(FeedRequest.PARAMETERS.stream(), Stream.of(StreamTokenCheck.PARAMETER))
          .collect(Collectors.toUnmodifiableSet());

  /// The result of reading a request.
  sealed interface Result {
    record Read(EventsRequest request) implements Result {}

    record Refused(Reply reply) implements Result {}
  }

  static Result read(StreamRequest request) {
    HttpExchange exchange = request.exchange();
    Query query = Query.parse(exchange.getRequestURI().getRawQuery(), PARAMETERS);
    FeedRequest feed = FeedRequest.of(exchange, query);
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
        : new Result.Read(new EventsRequest(run.get(), feed, view.orElse(Protocol.RUNTIME)));
  }
}
