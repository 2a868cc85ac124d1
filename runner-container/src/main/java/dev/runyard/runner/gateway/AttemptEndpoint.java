package dev.runyard.runner.gateway;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.event.RunEvent;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The model endpoint of one attempt: its agent calls it as it would call the provider, and holds
/// nothing but the attempt's token, which is worthless afterwards. Thread-safe.
public final class AttemptEndpoint implements AutoCloseable {
  /// Most bytes of requests that are kept at once.
  static final long REQUESTS_BYTES_MAX = 64L * 1024 * 1024;

  /// Most connections at once.
  static final int CONNECTIONS_MAX = 64;

  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  private final String origin;
  private final Credential credential;
  private final ModelGrant grant;
  private final Consumer<AttemptEndpoint> closed;
  private final CallLedger ledger;
  private final RequestRoom room;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytes = new AtomicLong();
  private final Supplier<HttpClient> clients;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable HttpClient client;
  private volatile boolean over;

  /// @param room for requests, which all attempts share
  /// @param clients makes what calls the provider, at the first call
  AttemptEndpoint(
      String origin,
      String token,
      ModelGrant grant,
      Consumer<AttemptEndpoint> closed,
      RequestRoom room,
      Supplier<HttpClient> clients) {
    this.room = room;
    this.clients = clients;
    this.origin = origin;
    this.credential = new Credential(token, grant.key());
    this.grant = grant;
    this.closed = closed;
    this.ledger = new CallLedger(new Spending(grant.bounds(), grant.prices(), grant.used()));
  }

  /// What the agent takes for its provider's endpoint: it has the same path.
  public String address() {
    return origin + "/" + credential.token() + grant.path();
  }

  /// What the agent takes for its provider's key.
  public String token() {
    return credential.token();
  }

  /// The operator's settings of the agent, with this endpoint and without the provider's key.
  public AgentSettings.Agent settings(AgentSettings.Agent agent) {
    return agent.behind(address(), grant.key());
  }

  /// What happened, for the run's log, without waiting.
  public List<RunEvent> take(int max) {
    return ledger.take(max);
  }

  /// Ends every call, and answers none any more. What they had used is there to be taken when this
  /// returns.
  @Override
  public void close() {
    over = true;
    closed.accept(this);
    ledger.close(CLOSE_WAIT);
    connections.forEach(AttemptEndpoint::close);
    lock.lock();
    try {
      if (client != null) {
        client.shutdownNow();
      }
    } finally {
      lock.unlock();
    }
  }

  /// What calls the provider for this attempt alone. Once the endpoint is closed it calls nobody.
  HttpClient client() {
    lock.lock();
    try {
      HttpClient made = client == null ? clients.get() : client;
      client = made;
      if (over) {
        made.shutdownNow();
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  ModelGrant grant() {
    return grant;
  }

  Credential credential() {
    return credential;
  }

  CallLedger calls() {
    return ledger;
  }

  /// True if the model may be called.
  boolean allows(String model) {
    return grant.models().isEmpty() || grant.models().contains(model);
  }

  Refusal notAllowed(Optional<String> model) {
    return new Refusal(
        400,
        "model_not_allowed",
        "%s is not allowed here. Allowed: %s."
            .formatted(
                model.map(name -> "The model " + name).orElse("A call that names no model"),
                String.join(", ", grant.models().stream().sorted().toList())));
  }

  /// A connection that uses this endpoint. False if it must not.
  boolean connected(Socket socket) {
    connections.add(socket);
    if (over || connections.size() > CONNECTIONS_MAX) {
      connections.remove(socket);
      return false;
    }
    return true;
  }

  void disconnected(Socket socket) {
    connections.remove(socket);
  }

  /// Takes room for bytes of a request, if there is some.
  boolean reserve(long count) {
    if (!RequestRoom.reserve(bytes, count, room.attemptBytesMax())) {
      return false;
    }
    if (room.reserve(count)) {
      return true;
    }
    bytes.addAndGet(-count);
    return false;
  }

  void release(long count) {
    bytes.addAndGet(-count);
    room.release(count);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed.
    }
  }
}
