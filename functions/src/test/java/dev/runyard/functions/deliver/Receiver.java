package dev.runyard.functions.deliver;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A server on this machine that treats who calls it as a test says.
final class Receiver implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Receiver.class.getName());

  private final ServerSocket server;
  private final Behaviour behaviour;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);

  /// What it does with a connection.
  interface Behaviour {
    void answer(Receiver receiver, Socket socket) throws IOException, InterruptedException;
  }

  record Request(String line, Map<String, String> headers, String body) {}

  Receiver(ServerSocket server, Behaviour behaviour) {
    this.server = server;
    this.behaviour = behaviour;
    Thread.ofPlatform().daemon().name("receiver").start(this::run);
  }

  static Receiver plain(Behaviour behaviour) {
    try {
      return new Receiver(
          new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})), behaviour);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads the request and answers with these bytes.
  static Behaviour answering(String answer) {
    return (receiver, socket) -> {
      receiver.read(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    };
  }

  private void run() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        connections.incrementAndGet();
        behaviour.answer(this, socket);
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "a connection has ended", e);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  /// Holds the connection until the receiver is closed.
  void hold() throws InterruptedException {
    closed.await();
  }

  /// True once the receiver is closed; false after a moment.
  boolean isClosedAfterAMoment() throws InterruptedException {
    return closed.await(5, TimeUnit.MILLISECONDS);
  }

  void read(InputStream stream) throws IOException {
    BufferedInputStream in = new BufferedInputStream(stream);
    String line = line(in);
    Map<String, String> headers = new TreeMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String[] parts = header.split(": ", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    requests.add(
        new Request(line, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8)));
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the request ends early");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  int port() {
    return server.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  List<Request> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    server.close();
  }
}
