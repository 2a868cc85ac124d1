package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.runner.loopback.Strangers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One connection of an agent: its requests one after the other. While a call is under way it waits
/// for the agent, so that a call whose agent has gone is ended at once.
final class AgentConnection implements Runnable {
  /// How long a connection may be unused.
  static final int IDLE_SECONDS_MAX = 300;

  private final Socket socket;
  private final InstantSource clock;
  private final Function<String, Optional<AttemptEndpoint>> endpoints;
  private final Doors doors;
  private final CallForwarder forwarder;
  private @Nullable AttemptEndpoint endpoint;

  /// Who may come in.
  ///
  /// @param strangers connections that have not named their endpoint
  /// @param room for those that have
  record Doors(Strangers strangers, Semaphore room) {}

  /// @param endpoints the endpoint of a token
  AgentConnection(
      Socket socket,
      InstantSource clock,
      Function<String, Optional<AttemptEndpoint>> endpoints,
      Doors doors,
      CallForwarder forwarder) {
    this.socket = socket;
    this.clock = clock;
    this.endpoints = endpoints;
    this.doors = doors;
    this.forwarder = forwarder;
  }

  @Override
  public void run() {
    try (socket) {
      socket.setTcpNoDelay(true);
      ConnectionInput in = new ConnectionInput(socket, clock);
      OutputStream out = socket.getOutputStream();
      while (serve(in, out)) {}
    } catch (IOException _) {
      // The agent has gone.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      if (endpoint != null) {
        endpoint.disconnected(socket);
        doors.room().release();
      }
    }
  }

  /// Serves the next request; true if another may follow.
  private boolean serve(ConnectionInput in, OutputStream out)
      throws IOException, InterruptedException {
    int idle = endpoint == null ? HeadReader.HEAD_SECONDS_MAX : IDLE_SECONDS_MAX;
    if (in.await(Duration.ofSeconds(idle)) != ConnectionInput.Waited.BYTES) {
      return false;
    }
    return switch (HeadReader.read(in)) {
      case HeadReader.Heard.Gone _ -> false;
      case HeadReader.Heard.Wrong(Refusal why) -> refuse(in, out, why, ModelApi.RESPONSES, false);
      case HeadReader.Heard.Request(RequestHead head) -> serve(head, in, out) && !head.closes();
    };
  }

  private boolean serve(RequestHead head, ConnectionInput in, OutputStream out)
      throws IOException, InterruptedException {
    String target = head.target();
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    int slash = path.indexOf('/', 1);
    String token = slash < 0 ? path.substring(1) : path.substring(1, slash);
    boolean bare = head.method().equals("HEAD");
    AttemptEndpoint to = enter(token);
    if (to == null) {
      return refuse(in, out, Refusal.noSuchEndpoint(), ModelApi.RESPONSES, bare);
    }
    ModelApi api = to.grant().route().api();
    if (head.first("upgrade").orElse("").toLowerCase(Locale.ROOT).contains("websocket")) {
      return refuse(in, out, noWebSocket(), api, bare);
    }
    String rest = slash < 0 ? "" : path.substring(slash);
    CallTarget wanted = CallTarget.of(head.method(), to.grant().path(), rest, api);
    if (wanted instanceof CallTarget.Greeting) {
      new AnswerWriter(out, bare).begin(200, Map.of(), OptionalLong.of(0));
      return !head.has("transfer-encoding") && !head.has("content-length");
    }
    if (wanted instanceof CallTarget.Refused(Refusal why)) {
      return refuse(in, out, why, api, bare);
    }
    String asked = query < 0 ? "" : target.substring(query + 1);
    if (wanted.hidesUsage(asked)) {
      return refuse(in, out, Refusal.hidden(), api, bare);
    }
    if (!head.first("content-encoding").orElse("identity").equalsIgnoreCase("identity")) {
      return refuse(in, out, encoded(), api, bare);
    }
    Room room = new Room(to);
    Refusal wrong;
    try {
      switch (new BodyReader(in, room::take).read(head, out)) {
        case BodyReader.Read.Wrong(Refusal why) -> wrong = why;
        case BodyReader.Read.Body(byte[] body) -> {
          return forwarder.forward(
              new IncomingCall(to, wanted, head, rest + Credential.query(asked), body),
              in,
              new AnswerWriter(out, bare, to.grant().key()));
        }
      }
    } finally {
      room.giveBack();
    }
    return refuse(in, out, wrong, api, bare);
  }

  /// The endpoint of a token. A connection belongs to the first one it names.
  private @Nullable AttemptEndpoint enter(String token) {
    AttemptEndpoint found = endpoints.apply(token).orElse(null);
    if (found == null || (endpoint != null && endpoint != found)) {
      return null;
    }
    if (endpoint == null) {
      if (!doors.room().tryAcquire()) {
        return null;
      }
      if (!found.connected(socket)) {
        doors.room().release();
        return null;
      }
      doors.strangers().leave(socket);
    }
    endpoint = found;
    return found;
  }

  /// Answers and closes: where a refused request ends is not known. What the agent still sends is
  /// read first, as long as a request may take, or it would not get the answer.
  private boolean refuse(
      ConnectionInput in, OutputStream out, Refusal why, ModelApi api, boolean bare)
      throws IOException {
    new AnswerWriter(out, bare).refuse(why, why.body(api), true);
    socket.shutdownOutput();
    in.within(Duration.ofSeconds(BodyReader.BODY_SECONDS_MAX));
    in.drain(2L * BodyReader.BODY_BYTES_MAX);
    return false;
  }

  private static Refusal noWebSocket() {
    return new Refusal(
        Refusal.UPGRADE_REQUIRED, "no_websocket", "Models are called over HTTP here.");
  }

  private static Refusal encoded() {
    return new Refusal(415, "body_encoded", "Send the request without Content-Encoding.");
  }

  /// What one request takes of the room for all requests of its attempt.
  private static final class Room {
    private final AttemptEndpoint endpoint;
    private long taken;

    Room(AttemptEndpoint endpoint) {
      this.endpoint = endpoint;
    }

    boolean take(long bytes) {
      boolean there = endpoint.reserve(bytes);
      taken += there ? bytes : 0;
      return there;
    }

    void giveBack() {
      endpoint.release(taken);
    }
  }
}
