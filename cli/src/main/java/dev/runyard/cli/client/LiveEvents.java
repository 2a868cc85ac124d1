package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Consumer;

/// Follows a run's events over connections that may drop. Each event is passed on once and in
/// order: a new connection asks for what follows the last event passed on, repeated events are
/// skipped, and a gap in the numbering counts as a dropped connection.
public final class LiveEvents {
  /// The view with every event as it is stored.
  public static final String NATIVE_VIEW = "runtime";

  /// Says which events are not kept any more, so that their absence is no gap.
  private static final String EXPIRED = "output.expired";

  /// The HTTP status of a stream that has nothing to send, now or later.
  private static final int NOTHING_LEFT = 204;

  /// Following is given up after this many tries in a row without an event.
  static final int TRIES_MAX = 10;

  static final Duration PAUSE_MIN = Duration.ofMillis(100);
  static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  /// A stream that does not even send a comment for this long is dead. The server sends one every
  /// 15 s.
  static final Duration SILENCE_MAX = Duration.ofSeconds(45);

  /// How following ended.
  public sealed interface End {}

  /// The run is closed and all of it was passed on.
  public record Closed(long lastSequence) implements End {}

  /// The server will not stream this run.
  public record Refused(ServerProblem problem) implements End {}

  /// The connection was lost and could not be restored; the run itself may continue.
  public record Lost(String message, long lastSequence) implements End {}

  /// Waits between two connections.
  @FunctionalInterface
  public interface Pause {
    void of(Duration duration) throws InterruptedException;
  }

  private final RunyardClient client;
  private final Pause pause;
  private final Duration silenceMax;

  public LiveEvents(RunyardClient client) {
    this(client, Thread::sleep, SILENCE_MAX);
  }

  LiveEvents(RunyardClient client, Pause pause, Duration silenceMax) {
    this.client = client;
    this.pause = pause;
    this.silenceMax = silenceMax;
  }

  /// Passes every event after sequence `after` to `handler` until the run is closed.
  public End follow(String runId, long after, String view, Consumer<ClientEvent> handler)
      throws InterruptedException {
    Position position = new Position(after, view.equals(NATIVE_VIEW), handler);
    String why = "the stream ended early";
    boolean reached = false;
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      long before = position.last();
      try {
        HttpResponse<InputStream> answer = client.open(runId, before, view);
        reached = true;
        try (InputStream body = answer.body()) {
          if (answer.statusCode() == NOTHING_LEFT) {
            return new Closed(before);
          }
          if (answer.statusCode() != 200) {
            ServerProblem problem =
                ServerProblem.read(RunyardClient.JSON, answer.statusCode(), body.readAllBytes());
            if (answer.statusCode() < 500 && answer.statusCode() != 429) {
              return new Refused(problem);
            }
            why = problem.detail();
          } else {
            read(body, position);
          }
        }
      } catch (IOException e) {
        why = ServerReply.Unreachable.from(client.server(), e).message();
        reached |= e instanceof CutOff;
        if (!reached) {
          return new Lost(why, before);
        }
      }
      if (position.terminal() || closedAt(runId, position.last(), view)) {
        return new Closed(position.last());
      }
      tries = position.last() > before ? -1 : tries;
      pause.of(backoff(tries));
    }
    return new Lost(why, position.last());
  }

  /// How long to wait after so many tries in a row that came to nothing.
  public static Duration backoff(int tries) {
    Duration pause = PAUSE_MIN.multipliedBy(1L << Math.clamp(tries, 0, 20));
    return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
  }

  private void read(InputStream body, Position position) throws IOException {
    try (SilenceWatch watch = SilenceWatch.over(body, silenceMax)) {
      ServerSentEvents messages = new ServerSentEvents(body, watch::heard);
      for (var message = messages.next(); message != null; message = messages.next()) {
        if (!position.take(message)) {
          return;
        }
      }
    }
  }

  /// A body that just ends does not say why. A view may leave out the terminal event, so the stored
  /// events are checked.
  private boolean closedAt(String runId, long after, String view) {
    return client.events(runId, after, 1, view) instanceof ServerReply.Done(JsonNode page)
        && page.path("closed").asBoolean()
        && page.path("events").isEmpty();
  }

  /// How far the run was passed on.
  private static final class Position {
    private final boolean contiguous;
    private final Consumer<ClientEvent> handler;
    private long last;
    private boolean terminal;

    Position(long last, boolean contiguous, Consumer<ClientEvent> handler) {
      this.last = last;
      this.contiguous = contiguous;
      this.handler = handler;
    }

    long last() {
      return last;
    }

    boolean terminal() {
      return terminal;
    }

    /// Passes the message's event on; false when this connection is useless.
    boolean take(ServerSentEvents.Message message) throws IOException {
      long sequence = sequence(message);
      if (message.event().equals(EXPIRED)) {
        JsonNode fact = RunyardClient.JSON.readTree(message.data());
        last = Math.max(last, fact.at("/payload/first").asLong() - 1);
        return true;
      }
      if (sequence <= last) {
        return true;
      }
      if (contiguous && sequence != last + 1) {
        throw new IOException("event " + (last + 1) + " is missing");
      }
      ClientEvent event =
          new ClientEvent(sequence, message.event(), RunyardClient.JSON.readTree(message.data()));
      handler.accept(event);
      last = sequence;
      terminal = event.terminal();
      return !terminal;
    }

    private static long sequence(ServerSentEvents.Message message) throws IOException {
      String id = message.id();
      if (id == null) {
        throw new IOException("an event has no id");
      }
      try {
        return Long.parseLong(id);
      } catch (NumberFormatException _) {
        throw new IOException("an event's id is not a sequence");
      }
    }
  }
}
