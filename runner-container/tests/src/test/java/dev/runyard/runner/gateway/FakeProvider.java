package dev.runyard.runner.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/// A model provider on this machine that does with each request what a test says, byte by byte.
final class FakeProvider implements AutoCloseable {
  private final ServerSocket server;
  private final Script script;
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /// Answers a request.
  interface Script {
    void answer(Seen seen, OutputStream out, Socket socket) throws Exception;
  }

  /// A request as it came.
  @SuppressWarnings("ArrayRecordComponent")
  record Seen(String head, byte[] body) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    String line() {
      return head.lines().findFirst().orElse("");
    }

    /// The values of a header.
    List<String> all(String name) {
      return head.lines()
          .skip(1)
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .toList();
    }
  }

  FakeProvider(Script script) throws IOException {
    this.script = script;
    this.server = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    Thread.ofPlatform().daemon().name("fake-provider").start(this::accept);
  }

  /// A provider that gives each call the same answer.
  static FakeProvider answering(int status, String type, String body) throws IOException {
    return new FakeProvider((_, out, _) -> send(out, status, type, body));
  }

  static void send(OutputStream out, int status, String type, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    head(out, status, "Content-Type: " + type, "Content-Length: " + bytes.length);
    out.write(bytes);
    out.flush();
  }

  static void head(OutputStream out, int status, String... headers) throws IOException {
    String text = "HTTP/1.1 " + status + " X\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /// Writes a chunk of a body.
  static void chunk(OutputStream out, byte[] bytes, int from, int length) throws IOException {
    out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.write(bytes, from, length);
    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  static void end(OutputStream out) throws IOException {
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  String origin() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  List<Seen> seen() {
    return seen;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true); // What was sent leaves, even if the connection is reset.
        open.add(socket);
        Thread.ofPlatform().daemon().name("fake-call").start(() -> serve(socket));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
          int next = in.read();
          if (next < 0) {
            return;
          }
          head.write(next);
        }
        Seen bare = new Seen(head.toString(StandardCharsets.ISO_8859_1), new byte[0]);
        List<String> length = bare.all("content-length");
        byte[] body =
            length.isEmpty() ? new byte[0] : in.readNBytes(Integer.parseInt(length.getFirst()));
        Seen request = new Seen(bare.head(), body);
        seen.add(request);
        script.answer(request, socket.getOutputStream(), socket);
      }
    } catch (Exception _) {
      // The script broke the connection, or the caller did.
    }
  }
}
