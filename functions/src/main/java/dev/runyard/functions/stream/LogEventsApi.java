package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.stream.StreamEvent;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The events of one kind of log, as JSON pages and as server-sent events, by the rules of those of
/// runs: a cursor is a sequence, after which a reader gets each event once.
///
/// @param <E> events of the kind
final class LogEventsApi<E extends StreamEvent> implements Resources<StreamEndpoint> {
  private final LogKind<E> kind;
  private final LogReading reading;

  LogEventsApi(LogKind<E> kind, LogReading reading) {
    this.kind = kind;
    this.reading = reading;
  }

  @Override
  public List<Route<StreamEndpoint>> routes() {
    return List.of(Route.get(kind.scope(), kind.path(), this::events));
  }

  private StreamAnswer events(StreamRequest request) throws InterruptedException {
    HttpExchange exchange = request.exchange();
    Query query = Query.parse(exchange.getRequestURI().getRawQuery(), FeedRequest.PARAMETERS);
    FeedRequest asked = FeedRequest.of(exchange, query);
    boolean strict = LogViews.strict(query);
    if (query.problem().isPresent()) {
      return new StreamAnswer.Whole(Reply.of(query.problem().get()));
    }
    Optional<LogKind.Found<E>> found =
        kind.find().find(request.caller().tenant(), request.named("id"));
    return found.isPresent() ? answer(request, found.get(), asked, strict) : absent();
  }

  /// A stream that has nothing left to send is answered with 204, which tells a browser not to
  /// reconnect.
  private StreamAnswer answer(
      StreamRequest request, LogKind.Found<E> found, FeedRequest asked, boolean strict)
      throws InterruptedException {
    StreamKey key = found.key();
    EventCursor<E> cursor = new EventCursor<>(reading.log(), kind.codec(), key, asked.after());
    List<E> first = cursor.next();
    boolean nothing = first.isEmpty() && !cursor.closed();
    if (nothing && found.unbegun().isEmpty() && newest(key).isEmpty()) {
      return absent();
    }
    ToldForm<E> form =
        new ToldForm<>(
            kind.codec(),
            strict,
            asked.tellsAll(strict),
            _ -> true,
            kind.about(request.named("id")));
    ToldFacts<E> told =
        new ToldFacts<>(form, reading.clock(), asked.after(), () -> newest(key).or(found::unbegun));
    LogFeed<E> feed = new LogFeed<>(key, cursor, form::json, told, reading);
    if (!asked.asStream()) {
      Instant until = reading.now().plus(asked.patience());
      return new StreamAnswer.Whole(Reply.json(200, feed.page(first, asked, until)));
    }
    return first.isEmpty() && cursor.closed()
        ? new StreamAnswer.Whole(Reply.empty(204))
        : new StreamAnswer.Live(
            () ->
                feed.stream(
                    request.exchange(), first, reading.admission(request.caller().identity())));
  }

  private Optional<E> newest(StreamKey key) {
    return reading
        .log()
        .chunkAt(key, Long.MAX_VALUE)
        .map(chunk -> chunk.events(kind.codec()).getLast());
  }

  private StreamAnswer absent() {
    return new StreamAnswer.Whole(Reply.of(kind.absent()));
  }
}
