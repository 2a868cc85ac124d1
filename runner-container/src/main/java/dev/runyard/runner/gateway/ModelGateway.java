package dev.runyard.runner.gateway;

import dev.runyard.core.ids.Ids;
import dev.runyard.runner.loopback.Strangers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The model endpoints of a runner's attempts. They share one port of 127.0.0.1, which is open only
/// while there are some; each has a token of its own in its path, and its own connections to its
/// provider. Thread-safe.
public final class ModelGateway {
  /// Most connections at once that belong to endpoints.
  static final int CONNECTIONS_MAX = 512;

  static final int CONNECT_SECONDS_MAX = 10;
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int BACKLOG = 128;

  private final InstantSource clock;
  private final Ids ids;
  private final @Nullable SSLContext trust;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, AttemptEndpoint> endpoints = new ConcurrentHashMap<>();
  private final Semaphore connections = new Semaphore(CONNECTIONS_MAX);
  private final Strangers strangers = new Strangers();
  private final RequestRoom room = new RequestRoom(Runtime.getRuntime().maxMemory());
  private final ExecutorService threads = Executors.newCachedThreadPool(named("model-agent-"));
  private final ExecutorService calls = Executors.newCachedThreadPool(named("model-call-"));
  private final CallForwarder forwarder;
  private @Nullable ServerSocket server;

  public ModelGateway(InstantSource clock, Ids ids) {
    this(clock, ids, null);
  }

  /// @param trust which providers are trusted; null for those that the machine trusts
  ModelGateway(InstantSource clock, Ids ids, @Nullable SSLContext trust) {
    this.clock = clock;
    this.ids = ids;
    this.trust = trust;
    this.forwarder = new CallForwarder(clock);
  }

  /// Opens the endpoint of an attempt.
  public AttemptEndpoint open(ModelGrant grant) throws IOException {
    lock.lock();
    try {
      ServerSocket listening = server == null ? listen() : server;
      server = listening;
      String token = ids.token() + ids.token();
      AttemptEndpoint endpoint =
          new AttemptEndpoint(
              "http://127.0.0.1:" + listening.getLocalPort(),
              token,
              grant,
              this::closed,
              room,
              this::client);
      endpoints.put(token, endpoint);
      return endpoint;
    } finally {
      lock.unlock();
    }
  }

  private void closed(AttemptEndpoint endpoint) {
    lock.lock();
    try {
      endpoints.remove(endpoint.token());
      ServerSocket listening = server;
      if (endpoints.isEmpty() && listening != null) {
        server = null;
        close(listening);
      }
    } finally {
      lock.unlock();
    }
  }

  private ServerSocket listen() throws IOException {
    ServerSocket listening = new ServerSocket();
    listening.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), BACKLOG);
    threads.execute(() -> strangers.accept(listening, threads, this::serve));
    return listening;
  }

  private void serve(Socket socket) {
    new AgentConnection(
            socket,
            clock,
            token -> Optional.ofNullable(endpoints.get(token)),
            new AgentConnection.Doors(strangers, connections),
            forwarder)
        .run();
  }

  /// The calls of one attempt, which share a connection over HTTP/2, and with it the room for what
  /// their agent does not read. Follows no redirect: the key is for nobody else.
  private HttpClient client() {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(CONNECT_SECONDS_MAX))
            .executor(calls);
    return trust == null ? client.build() : client.sslContext(trust).build();
  }

  private static ThreadFactory named(String prefix) {
    return Thread.ofPlatform().daemon().name(prefix, 0).factory();
  }

  private static void close(ServerSocket listening) {
    try {
      listening.close();
    } catch (IOException _) {
      // It is closed.
    }
  }
}
