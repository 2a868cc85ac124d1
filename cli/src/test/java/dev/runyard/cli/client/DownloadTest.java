package dev.runyard.cli.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.ids.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where downloads go, how they continue, and what is said where they do not fit.
final class DownloadTest {
  private static final URI HERE = URI.create("http://127.0.0.1:7070");
  private static final URI THERE = URI.create("https://192.0.2.1");
  private static final int HALF = 150_000;
  private static final byte[] CONTENT = content();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https:x",
        "https:///p",
        "https://a_b/p",
        "ftp://127.0.0.1/x",
        "file:///etc/passwd",
        "http://192.0.2.7/x",
        "https://192.0.2.7:65536/x",
        "https://[",
        "mailto:somebody"
      })
  void goesToAddressesOfTheWebOnly(String location) {
    assertThrows(NotSent.class, () -> Download.elsewhere(HERE, HERE, location));
    assertThrows(NotSent.class, () -> Download.elsewhere(THERE, THERE, location));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:8080/x",
        "https://127.0.0.2/x",
        "https://[::1]/x",
        "https://0.0.0.0/x",
        "https://localhost/x"
      })
  void isSentToThisMachineByThisMachineOnly(String location) {
    assertThrows(NotSent.class, () -> Download.elsewhere(THERE, THERE, location));
  }

  @Test
  void goesWhereItMay() throws IOException {
    assertEquals(
        URI.create("http://127.0.0.1:8080/x"),
        Download.elsewhere(HERE, HERE, "http://127.0.0.1:8080/x"));
    assertEquals(
        URI.create("https://192.0.2.7/x"), Download.elsewhere(THERE, THERE, "https://192.0.2.7/x"));
    assertEquals(
        URI.create("https://192.0.2.1/x"), Download.elsewhere(THERE, THERE.resolve("/y"), "/x"));
  }

  @Test
  void saysThatAFileCannotBeWritten() {
    try (RunServer server = new RunServer();
        RunyardClient client = new RunyardClient(server.uri(), new Identification.None())) {
      server.on("GET /v1/runs/r1/artifacts/x", 200, "content");

      var reply =
          assertInstanceOf(
              ServerReply.Unreachable.class,
              client.artifact("r1", "x", folder.resolve("missing/x")));

      assertTrue(reply.message().contains("cannot be written"), reply.message());
      assertFalse(reply.message().contains("no answer"), reply.message());
    }
  }

  /// The server cuts a content off when the client has taken all that was sent: what it has not
  /// taken by then is lost on the way.
  @Test
  void continuesAfterWhatItHas() throws Exception {
    Taken got = new Taken();
    List<String> ranges = new CopyOnWriteArrayList<>();
    try (RunServer server = new RunServer();
        RunServer store = new RunServer();
        HttpClient http = http()) {
      server.on(
          "GET /content",
          (exchange, _) -> {
            exchange.getResponseHeaders().set("Location", store.uri() + "/signed");
            exchange.sendResponseHeaders(307, -1);
          });
      store.on(
          "GET /signed",
          (exchange, _) -> {
            String range = String.valueOf(exchange.getRequestHeaders().getFirst("Range"));
            ranges.add(range);
            boolean first = range.equals("null");
            send(exchange, first ? 200 : 206, first ? 0 : HALF, HALF);
            if (first) {
              got.awaitHalf();
            }
          });

      assertEquals(all(), download(server, http).into(got));
    }
    assertArrayEquals(CONTENT, got.toByteArray());
    assertEquals(List.of("null", "bytes=" + HALF + "-"), ranges);
  }

  /// A server that knows no ranges sends all of it again, and may be cut off within what is there.
  @Test
  void skipsWhatItHas() throws Exception {
    Taken got = new Taken();
    try (RunServer server = new RunServer();
        HttpClient http = http()) {
      server.on(
          "GET /content",
          (exchange, _) -> {
            switch (server.requests().size()) {
              case 1 -> {
                send(exchange, 200, 0, HALF);
                got.awaitHalf();
              }
              case 2 -> send(exchange, 200, 0, HALF / 2);
              default -> send(exchange, 200, 0, CONTENT.length);
            }
          });

      assertEquals(all(), download(server, http).into(got));
      assertEquals(3, server.requests().size());
    }
    assertArrayEquals(CONTENT, got.toByteArray());
  }

  @ParameterizedTest
  @CsvSource({"0, true", "4, true", "5, false"})
  void asksAgainThoughNothingCame(int cutOff, boolean done) throws IOException {
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    try (RunServer server = new RunServer();
        HttpClient http = http()) {
      server.on(
          "GET /content",
          (exchange, _) ->
              send(exchange, 200, 0, server.requests().size() > cutOff ? CONTENT.length : 0));

      ServerReply reply = download(server, http).into(got);

      assertEquals(done, reply instanceof ServerReply.Done, reply.toString());
      assertEquals(done ? cutOff + 1 : 1 + Download.CONTINUED_MAX, server.requests().size());
    }
    assertArrayEquals(done ? CONTENT : new byte[0], got.toByteArray());
  }

  /// What was written, and whether that is half of it.
  private static final class Taken extends ByteArrayOutputStream {
    private final CountDownLatch half = new CountDownLatch(1);

    @Override
    public synchronized void write(byte[] block, int from, int count) {
      super.write(block, from, count);
      if (size() >= HALF) {
        half.countDown();
      }
    }

    void awaitHalf() throws IOException {
      try {
        half.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private static ServerReply all() {
    return new ServerReply.Done(
        JsonNodeFactory.instance
            .objectNode()
            .put("bytes", (long) CONTENT.length)
            .put("sha256", HexFormat.of().formatHex(Digest.of(CONTENT))));
  }

  private static HttpClient http() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private static Download download(RunServer server, HttpClient http) {
    URI uri = server.uri();
    return new Download(
        new RunyardClient.Connection(uri, Sender.of(uri, new Identification.None()), _ -> {}, http),
        ApiCall.get(uri.resolve("/content"), "*/*"));
  }

  /// Says that all from there on comes, and sends only so much of it.
  private static void send(HttpExchange exchange, int status, int from, int most)
      throws IOException {
    exchange.sendResponseHeaders(status, CONTENT.length - from);
    exchange.getResponseBody().write(CONTENT, from, most);
    exchange.getResponseBody().flush();
  }

  private static byte[] content() {
    byte[] content = new byte[2 * HALF];
    new Random(1).nextBytes(content);
    return content;
  }
}
