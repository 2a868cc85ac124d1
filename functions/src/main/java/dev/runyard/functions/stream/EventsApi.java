package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.access.Scope;
import dev.runyard.core.agentcommunication.ReadRun;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.read.EventRenderer;
import dev.runyard.core.read.Protocol;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.http.CallerCheck;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The events of a run, as JSON pages and as server-sent events.
final class EventsApi implements Resources<StreamEndpoint> {
  private final RunFeeds feeds;
  private final RunLog runs;
  private final StreamTokenCheck tokens;
  private final InstantSource clock;
  private final JsonLog log;

  EventsApi(
      RunFeeds feeds, RunLog runs, StreamTokenCheck tokens, InstantSource clock, JsonLog log) {
    this.feeds = feeds;
    this.runs = runs;
    this.tokens = tokens;
    this.clock = clock;
    this.log = log;
  }

  @Override
  public List<Route<StreamEndpoint>> routes() {
    return List.of(Route.get(Scope.RUNS_READ, "/v1/runs/{id}/events", new Events()));
  }

  /// The one route that takes stream tokens too.
  private final class Events implements StreamEndpoint {
    @Override
    public StreamAnswer answer(StreamRequest request) throws InterruptedException {
      return events(request);
    }

    @Override
    public Optional<CallerCheck.Result> check(HttpExchange exchange, Map<String, String> names) {
      return tokens.check(exchange, names);
    }
  }

  private StreamAnswer events(StreamRequest request) throws InterruptedException {
    return switch (EventsRequest.read(request)) {
      case EventsRequest.Result.Refused refused -> new StreamAnswer.Whole(refused.reply());
      case EventsRequest.Result.Read read -> answer(read.request(), request);
    };
  }

  /// A stream that has nothing left to send is answered with 204, which tells a browser not to
  /// reconnect.
  private StreamAnswer answer(EventsRequest asked, StreamRequest request)
      throws InterruptedException {
    if (asked.view() == Protocol.ACP && asked.feed().after() > ReadRun.EVENTS_MAX) {
      return new StreamAnswer.Whole(Reply.of(ProblemCode.RESPONSE_TOO_LARGE, ReadRun.TOO_LONG));
    }
    Optional<Tail> open = feeds.open(asked.run(), asked.feed().after());
    if (open.isEmpty()) {
      return new StreamAnswer.Whole(Reply.runNotFound());
    }
    Tail tail = open.get();
    RunReader reader =
        new RunReader(
            tail, new EventRenderer(asked.view(), asked.run(), feeds.log(), runs), told(asked));
    if (asked.feed().asStream()) {
      return tail.ended()
          ? new StreamAnswer.Whole(Reply.empty(204))
          : new StreamAnswer.Live(() -> stream(request, reader));
    }
    try (tail) {
      return new StreamAnswer.Whole(
          EventPages.page(asked, reader, clock.instant().plus(asked.feed().patience())));
    }
  }

  /// Other protocols have no form for what is told besides the events.
  private Optional<ToldFacts<StoredEvent>> told(EventsRequest asked) {
    return switch (asked.view()) {
      case RUNTIME -> Optional.of(told(asked, false));
      case LIME -> Optional.of(told(asked, true));
      case AGENT_API, ACP, HUB -> Optional.empty();
    };
  }

  private ToldFacts<StoredEvent> told(EventsRequest asked, boolean strict) {
    return new ToldFacts<>(
        ToldForm.ofRun(asked.run().runId(), strict, asked.feed().tellsAll(strict)),
        clock,
        asked.feed().after(),
        () -> feeds.newest(asked.run()));
  }

  private void stream(StreamRequest request, RunReader reader)
      throws IOException, InterruptedException {
    try (OutputStream out = SseFrames.begin(request.exchange());
        Tail _ = reader.tail()) {
      long sent = new SseStream(reader, clock, out).run(tokens.admission(request.caller()));
      log.info(
          "stream",
          line ->
              line.put("request_id", request.requestId()).put("status", 200).put("events", sent));
    }
  }
}
