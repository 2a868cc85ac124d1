package dev.runyard.cli.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LiveEventsTest {
  private static final int LAST = 40;

  private final RunServer server = new RunServer();
  private final List<Long> seen = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private RunyardClient client = server.client();

  @BeforeEach
  void logIsOpen() {
    server.on("GET /v1/runs/r/events", this::sendAll);
  }

  @AfterEach
  void stop() {
    over.countDown();
    client.close();
    server.close();
  }

  @Test
  void passesOnEveryEventOnceUntilTheTerminalOne() throws InterruptedException {
    assertEquals(new LiveEvents.Closed(LAST), follow(0));
    assertEquals(numbers(1, LAST), seen);
  }

  @Test
  void startsAfterTheSequenceAskedFor() throws InterruptedException {
    assertEquals(new LiveEvents.Closed(LAST), follow(30));
    assertEquals(numbers(31, LAST), seen);
    assertEquals("30", server.requests().getFirst().lastEventId());
  }

  @Test
  void continuesWhereDroppedConnectionsEnded() throws InterruptedException {
    AtomicInteger connections = new AtomicInteger();
    server.on(
        "GET /v1/runs/r/events",
        (exchange, request) -> {
          if (isPage(exchange)) {
            sendOpenPage(exchange);
            return;
          }
          long from = 1 + after(request);
          long to = Math.min(LAST, from + 7L * connections.getAndIncrement());
          OutputStream out = RunServer.stream(exchange);
          for (long sequence = from; sequence < to; sequence++) {
            RunServer.event(out, sequence, type(sequence), "{}");
          }
          if (to == LAST) {
            RunServer.event(out, LAST, type(LAST), "{}");
          } else {
            out.write("id: 99\nevent: model.delta\ndata: {\"cut".getBytes(StandardCharsets.UTF_8));
          }
        });
    assertEquals(new LiveEvents.Closed(LAST), follow(0));
    assertEquals(numbers(1, LAST), seen);
    assertTrue(connections.get() > 3, "connections: " + connections);
  }

  @Test
  void connectsAgainWhenOnlyTheHeadOfTheFirstAnswerCame() throws InterruptedException {
    AtomicInteger _ =
        allAfterFirst(
            exchange -> {
              exchange.sendResponseHeaders(200, 1);
              exchange.getResponseBody().flush();
            });
    assertEquals(new LiveEvents.Closed(LAST), follow(0));
    assertEquals(numbers(1, LAST), seen);
  }

  @Test
  void skipsEventsThatComeAgain() throws InterruptedException {
    AtomicInteger connections = new AtomicInteger();
    server.on(
        "GET /v1/runs/r/events",
        (exchange, _) -> {
          if (isPage(exchange)) {
            sendOpenPage(exchange);
            return;
          }
          OutputStream out = RunServer.stream(exchange);
          long to = connections.getAndIncrement() == 0 ? 20 : LAST;
          for (long sequence = 1; sequence <= to; sequence++) {
            RunServer.event(out, sequence, type(sequence), "{}");
          }
        });
    assertEquals(new LiveEvents.Closed(LAST), follow(0));
    assertEquals(numbers(1, LAST), seen);
  }

  /// It has the sequence of the event before it, and no id of its own.
  @Test
  void passesWhatIsToldBetweenEventsAndKnowsWhatIsNotKept() throws InterruptedException {
    server.on(
        "GET /v1/runs/r/events",
        (exchange, _) -> {
          OutputStream out = RunServer.stream(exchange);
          RunServer.event(out, 0, "output.expired", "{\"after\":0,\"first\":31}");
          for (long sequence = 31; sequence < LAST; sequence++) {
            RunServer.event(out, sequence, type(sequence), "{}");
          }
          out.write("event: history.window.loaded\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));
          RunServer.event(out, LAST, type(LAST), "{}");
        });
    assertEquals(new LiveEvents.Closed(LAST), follow(0));
    assertEquals(numbers(31, LAST), seen);
  }

  @Test
  void treatsAGapInTheNumbersAsADroppedConnection() throws InterruptedException {
    AtomicInteger _ =
        allAfterFirst(
            exchange -> {
              OutputStream out = RunServer.stream(exchange);
              RunServer.event(out, 1, type(1), "{}");
              RunServer.event(out, 3, type(3), "{}");
            });
    assertEquals(new LiveEvents.Closed(LAST), follow(0));
    assertEquals(numbers(1, LAST), seen);
  }

  @Test
  void connectsAgainWhenTheServerFallsSilent() throws InterruptedException {
    AtomicInteger connections =
        allAfterFirst(
            exchange -> {
              OutputStream out = RunServer.stream(exchange);
              RunServer.event(out, 1, type(1), "{}");
              awaitTheEnd();
            });
    assertEquals(new LiveEvents.Closed(LAST), follow(0, Duration.ofSeconds(2)));
    assertEquals(numbers(1, LAST), seen);
    assertTrue(connections.get() > 1, "connections: " + connections);
  }

  @Test
  void asksTheLogWhenAViewLeavesTheTerminalEventOut() throws InterruptedException {
    server.on(
        "GET /v1/runs/r/events",
        (exchange, _) -> {
          if (isPage(exchange)) {
            exchange.sendResponseHeaders(200, 0);
            exchange
                .getResponseBody()
                .write("{\"events\":[],\"closed\":true}".getBytes(StandardCharsets.UTF_8));
          } else {
            OutputStream out = RunServer.stream(exchange);
            RunServer.event(out, 4, "agent:start", "{}");
            RunServer.event(out, 9, "agent:text", "{}");
          }
        });
    LiveEvents stream = new LiveEvents(client, pauses::add, Duration.ofMinutes(1));
    assertEquals(
        new LiveEvents.Closed(9),
        stream.follow("r", 0, "hub", event -> seen.add(event.sequence())));
    assertEquals(List.of(4L, 9L), seen);
  }

  @Test
  void isDoneWhenTheServerHasNothingLeft() throws InterruptedException {
    server.on("GET /v1/runs/r/events", (exchange, _) -> exchange.sendResponseHeaders(204, -1));
    assertEquals(new LiveEvents.Closed(LAST), follow(LAST));
    assertEquals(List.of(), seen);
  }

  @Test
  void givesUpAfterBoundedTriesWithGrowingPauses() throws InterruptedException {
    server.on("GET /v1/runs/r/events", 503, "{\"code\":\"unavailable\",\"detail\":\"try later\"}");
    LiveEvents.Lost lost = assertInstanceOf(LiveEvents.Lost.class, follow(7));
    assertEquals(new LiveEvents.Lost("try later", 7), lost);
    assertEquals(LiveEvents.TRIES_MAX, pauses.size());
    assertEquals(LiveEvents.PAUSE_MIN, pauses.getFirst());
    assertEquals(LiveEvents.PAUSE_MAX, pauses.getLast());
    assertEquals(pauses.stream().sorted().toList(), pauses);
  }

  @Test
  void doesNotTryAgainWhenTheRunIsUnknown() throws InterruptedException {
    server.on("GET /v1/runs/r/events", 404, "{\"code\":\"run_not_found\",\"detail\":\"no run r\"}");
    LiveEvents.Refused refused = assertInstanceOf(LiveEvents.Refused.class, follow(0));
    assertEquals("run_not_found", refused.problem().code());
    assertEquals(1, server.requests().size());
  }

  @Test
  void saysAtOnceThatNothingListens() throws InterruptedException {
    server.close();
    LiveEvents.Lost lost = assertInstanceOf(LiveEvents.Lost.class, follow(0));
    assertTrue(lost.message().contains("./runyard up"), lost.message());
    assertEquals(List.of(), pauses);
  }

  private LiveEvents.End follow(long after) throws InterruptedException {
    return follow(after, Duration.ofSeconds(60));
  }

  private LiveEvents.End follow(long after, Duration silenceMax) throws InterruptedException {
    return new LiveEvents(client, pauses::add, silenceMax)
        .follow("r", after, LiveEvents.NATIVE_VIEW, event -> seen.add(event.sequence()));
  }

  /// Answers the first connection so, and each that follows with all events.
  ///
  /// @return how many there were
  private AtomicInteger allAfterFirst(HttpHandler first) {
    AtomicInteger connections = new AtomicInteger();
    server.on(
        "GET /v1/runs/r/events",
        (exchange, request) -> {
          if (isPage(exchange)) {
            sendOpenPage(exchange);
          } else if (connections.getAndIncrement() == 0) {
            first.handle(exchange);
          } else {
            sendAll(exchange, request);
          }
        });
    return connections;
  }

  private void sendAll(HttpExchange exchange, RunServer.Request request) throws IOException {
    OutputStream out = RunServer.stream(exchange);
    for (long sequence = 1 + after(request); sequence <= LAST; sequence++) {
      RunServer.event(out, sequence, type(sequence), "{}");
    }
    awaitTheEnd();
  }

  /// Holds the connection open: a client that waits for its end after the terminal event hangs.
  private void awaitTheEnd() {
    try {
      over.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isPage(HttpExchange exchange) {
    return !"text/event-stream".equals(exchange.getRequestHeaders().getFirst("Accept"));
  }

  private static void sendOpenPage(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    exchange
        .getResponseBody()
        .write("{\"events\":[],\"closed\":false}".getBytes(StandardCharsets.UTF_8));
  }

  private static long after(RunServer.Request request) {
    @Nullable String last = request.lastEventId();
    return last == null ? 0 : Long.parseLong(last);
  }

  private static String type(long sequence) {
    return sequence == LAST ? "task.completed" : "model.delta";
  }

  private static List<Long> numbers(long from, long to) {
    return java.util.stream.LongStream.rangeClosed(from, to).boxed().toList();
  }
}
