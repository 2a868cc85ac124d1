package dev.runyard.runner.network;

import dev.runyard.runner.loopback.Strangers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The way of one agent to the hosts it may reach: an HTTP proxy on a port of its own, for tunnels
/// (`CONNECT`) and for plain requests, with credentials that only this agent has.
///
/// The proxy looks names up itself. What goes through a tunnel is not seen. A connection may be
/// silent for as long as the attempt lasts. Thread-safe.
public final class HostProxy implements AutoCloseable {
  /// Connections of one agent at a time; another one waits.
  static final int CONNECTIONS_MAX = 128;

  static final int CONNECT_MILLIS_MAX = 10_000;

  /// How long a client may take to say where it wants to go.
  static final int HEAD_MILLIS_MAX = 30_000;

  private static final Duration ROOM_LOOK = Duration.ofSeconds(1);
  private static final String USER = "attempt";

  private final HostRules rules;
  private final Lookup lookup;
  private final byte[] credentials;
  private final String address;
  private final ServerSocket server;
  private final Semaphore room = new Semaphore(CONNECTIONS_MAX);
  private final Strangers strangers = new Strangers();
  private final Thread accepting =
      Thread.ofPlatform().daemon().name("host-proxy").unstarted(this::accept);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private HostProxy(HostRules rules, Lookup lookup, String token, ServerSocket server) {
    this.rules = rules;
    this.lookup = lookup;
    this.server = server;
    this.address = "http://%s:%s@127.0.0.1:%d".formatted(USER, token, server.getLocalPort());
    this.credentials =
        ("Basic "
                + Base64.getEncoder()
                    .encodeToString((USER + ":" + token).getBytes(StandardCharsets.US_ASCII)))
            .getBytes(StandardCharsets.US_ASCII);
  }

  /// Opens a port for one agent.
  ///
  /// @param token unguessable
  static HostProxy start(HostRules rules, Lookup lookup, String token) throws IOException {
    ServerSocket server = new ServerSocket();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    HostProxy proxy = new HostProxy(rules, lookup, token, server);
    proxy.accepting.start();
    return proxy;
  }

  /// For the agent's `HTTPS_PROXY`.
  String address() {
    return address;
  }

  /// Ends every connection; then there is no port any more.
  @Override
  public void close() {
    Tunnel.end(server);
    accepting.interrupt();
    try {
      accepting.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    open.forEach(Tunnel::end);
  }

  private void accept() {
    strangers.accept(
        server, Thread.ofPlatform().daemon().name("host-proxy-client")::start, this::serve);
  }

  private void serve(Socket client) {
    open.add(client);
    try (client) {
      if (server.isClosed()) {
        return;
      }
      client.setSoTimeout(HEAD_MILLIS_MAX);
      switch (ProxyRequest.read(client.getInputStream())) {
        case ProxyRequest.Read.Invalid _ -> answer(client, "400 Bad Request", "");
        case ProxyRequest.Read.Whole(ProxyRequest request) -> serve(client, request);
      }
    } catch (IOException _) {
      // The client is gone, or said nothing.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private void serve(Socket client, ProxyRequest request) throws IOException, InterruptedException {
    byte[] given = request.credentials().orElse("").getBytes(StandardCharsets.ISO_8859_1);
    if (!MessageDigest.isEqual(credentials, given)) {
      answer(
          client,
          "407 Proxy Authentication Required",
          "Proxy-Authenticate: Basic realm=runyard\r\n");
      return;
    }
    if (!rules.allows(request.to())) {
      answer(client, "403 Forbidden", "");
      return;
    }
    while (!room.tryAcquire(ROOM_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
      if (client.isClosed()) {
        return;
      }
    }
    try {
      strangers.leave(client);
      lead(client, request);
    } finally {
      room.release();
    }
  }

  private void lead(Socket client, ProxyRequest request) throws IOException, InterruptedException {
    try (Socket host = new Socket()) {
      open.add(host);
      try {
        host.connect(
            new InetSocketAddress(lookup.find(request.to().host()), request.to().port()),
            CONNECT_MILLIS_MAX);
      } catch (IOException _) {
        answer(client, "502 Bad Gateway", "");
        return;
      }
      if (request.head().isEmpty()) {
        write(client, "HTTP/1.1 200 Connection established\r\n\r\n");
      } else {
        host.getOutputStream().write(request.headBytes());
      }
      client.setSoTimeout(0);
      new Tunnel(client, host).carry();
    } finally {
      open.removeIf(Socket::isClosed);
    }
  }

  private static void answer(Socket client, String status, String fields) throws IOException {
    write(
        client,
        "HTTP/1.1 %s\r\n%sContent-Length: 0\r\nConnection: close\r\n\r\n"
            .formatted(status, fields));
  }

  private static void write(Socket to, String text) throws IOException {
    to.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    to.getOutputStream().flush();
  }
}
