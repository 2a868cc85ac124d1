package dev.runyard.functions.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.agentcommunication.AcpError;
import dev.runyard.core.agentcommunication.AcpEvent;
import dev.runyard.core.agentcommunication.AcpView;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.functions.http.AcpReplies;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One client that waits for its run to end or await, and gets a stream of events or the run
/// itself. A client that disconnects does not affect the run. Not thread-safe.
final class AcpFollow {
  /// After this long without data a comment or white space is sent, so that proxies keep the
  /// connection open.
  static final int KEEP_ALIVE_SECONDS = 10;

  private static final byte[] COMMENT = {':', '\n', '\n'};
  private static final byte[] SPACE = {' '};

  private final HttpExchange exchange;
  private final Tail tail;
  private final long after;
  private final Admission admission;
  private final InstantSource clock;
  private final Runnable atEnd;
  private final AcpView view = new AcpView();
  private @Nullable JsonNode settled;
  private @Nullable OutputStream out;
  private Instant keepAlive;

  /// @param after the sequence after which the client wants events of the run
  /// @param admission whether the client may read on
  /// @param atEnd runs before the client learns that the run has ended
  AcpFollow(
      HttpExchange exchange,
      Tail tail,
      long after,
      Admission admission,
      InstantSource clock,
      Runnable atEnd) {
    this.admission = admission;
    this.exchange = exchange;
    this.tail = tail;
    this.after = after;
    this.clock = clock;
    this.atEnd = atEnd;
    this.keepAlive = clock.instant().plusSeconds(KEEP_ALIVE_SECONDS);
  }

  /// Sends the events as they come, up to the one after which the run has ended or awaits its
  /// client.
  void stream(String runId) throws IOException, InterruptedException {
    open(runId, SseFrames.CONTENT_TYPE);
    follow(
        events -> {
          StringBuilder frames = new StringBuilder();
          for (AcpEvent event : events) {
            frames.append("data: ").append(SseFrames.oneLine(event.json().toString()));
            frames.append("\n\n");
          }
          if (!events.isEmpty()) {
            write(frames.toString().getBytes(StandardCharsets.UTF_8));
          } else if (late()) {
            write(COMMENT);
          }
        });
  }

  /// Tells the client of a stream that it is interrupted.
  void breakOff(AcpError error) throws IOException {
    write(("data: " + error.event() + "\n\n").getBytes(StandardCharsets.UTF_8));
  }

  /// Sends the run once it has ended or awaits, or its state after [SseStream#STREAM_SECONDS_MAX].
  ObjectNode settle(String runId) throws IOException, InterruptedException {
    follow(
        _ -> {
          if (late()) {
            open(runId, "application/json");
            write(SPACE);
          }
        });
    open(runId, "application/json");
    ObjectNode run = settled instanceof ObjectNode found ? found : view.run();
    write(run.toString().getBytes(StandardCharsets.UTF_8));
    return run;
  }

  private interface Sending {
    void send(List<AcpEvent> events) throws IOException;
  }

  private void follow(Sending sending) throws IOException, InterruptedException {
    Instant end = clock.instant().plusSeconds(SseStream.STREAM_SECONDS_MAX);
    boolean inTime = true;
    while (inTime && settled == null && !tail.ended()) {
      sending.send(next());
      inTime = settled != null || tail.ended() || (tail.pause(end) && admission.holds());
    }
  }

  /// The events that are new to the client, up to the one at which the run ends or awaits.
  private List<AcpEvent> next() {
    List<AcpEvent> events = new ArrayList<>();
    for (StoredEvent stored : read()) {
      List<AcpEvent> told = view.read(stored);
      if (settled == null && stored.sequence() > after) {
        events.addAll(told);
        Optional<AcpEvent> last = told.stream().filter(AcpEvent::settles).findFirst();
        settled = last.map(event -> event.json().path("run")).orElse(null);
        if (settled != null && view.ended()) {
          atEnd.run();
        }
      }
    }
    return events;
  }

  private List<StoredEvent> read() {
    try {
      return tail.next().events();
    } catch (PortUnavailable _) {
      return List.of();
    }
  }

  private boolean late() {
    return !clock.instant().isBefore(keepAlive);
  }

  private void open(String runId, String contentType) throws IOException {
    if (out == null) {
      Map.of(
              "Content-Type",
              contentType,
              "Cache-Control",
              "no-store",
              "X-Content-Type-Options",
              "nosniff",
              "X-Accel-Buffering",
              "no",
              AcpReplies.RUN_ID,
              runId)
          .forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(200, 0);
      out = exchange.getResponseBody();
    }
  }

  private void write(byte[] bytes) throws IOException {
    if (out != null) {
      out.write(bytes);
      out.flush();
      keepAlive = clock.instant().plusSeconds(KEEP_ALIVE_SECONDS);
    }
  }
}
