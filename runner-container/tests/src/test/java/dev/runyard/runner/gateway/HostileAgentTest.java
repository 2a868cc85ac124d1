package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.loopback.Strangers;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An agent that wants more than an answer of its model.
@Execution(ExecutionMode.CONCURRENT)
final class HostileAgentTest {
  private final GatewayRig rig = new GatewayRig();
  private final FakeProvider provider;
  private final AttemptEndpoint endpoint;

  HostileAgentTest() throws IOException {
    provider = FakeProvider.answering(200, "application/json", Answers.whole(ModelApi.MESSAGES));
    endpoint =
        rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin() + "/base/v1"));
  }

  @AfterEach
  void stop() throws IOException {
    endpoint.close();
    provider.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST T/v1/files HTTP/1.1|404",
        "POST T/base/v1/files HTTP/1.1|404",
        "POST T/v1/messages HTTP/1.1|404",
        "POST T/base/v1/messages/../files HTTP/1.1|404",
        "POST T/base/v1/messages%2f..%2ffiles HTTP/1.1|404",
        "POST T/base/v1//messages HTTP/1.1|404",
        "POST T/base/v1/messages/batches HTTP/1.1|404",
        "GET T/base/v1/models/../files HTTP/1.1|404",
        "GET T/base/v1/models/a/../../files HTTP/1.1|404",
        "GET T/base/v1/messages HTTP/1.1|405",
        "DELETE T/base/v1/models/a HTTP/1.1|405",
        "PUT T HTTP/1.1|405",
        "POST http://other.example.com/base/v1/messages HTTP/1.1|400",
        "CONNECT other.example.com:443 HTTP/1.1|400",
        "OPTIONS * HTTP/1.1|400",
        "GET T/base/v1/models\\a HTTP/1.1|400",
        "GET T/base/v1/models?a=%zz HTTP/1.1|400",
        "GET T/base/v1/models HTTP/1.0|505",
        "GET T/base/v1/models HTTP/2.0|505",
        "GET T/base/v1/models|400",
        "GET /nobodys-token/base/v1/models HTTP/1.1|401",
        "GET / HTTP/1.1|401",
      })
  void reachesNothingButTheApiOfItsModels(String line, String status) throws Exception {
    String request = line.replace(" T", " /" + endpoint.token());

    String answer = GatewayRig.raw(endpoint, request + "\r\nHost: x\r\nContent-Length: 0\r\n\r\n");

    assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
    assertEquals(List.of(), provider.seen());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n",
        "Content-Length: 2, 2\r\n",
        "Content-Length: +2\r\n",
        "Content-Length: -1\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Host: y\r\n",
        "A: b\n: c\r\n",
        "A: b\r c\r\n",
        " folded\r\n",
        ": nameless\r\n",
        "A: \0\r\n",
      })
  void cannotHideARequestInAnother(String headers) throws Exception {
    String answer =
        GatewayRig.raw(
            endpoint,
            "POST %s/messages HTTP/1.1\r\nHost: x\r\n%s\r\n{}"
                .formatted(GatewayRig.path(endpoint), headers));

    assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
    assertEquals(List.of(), provider.seen());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "[]",
        "{\"model\":\"a\",\"model\":\"b\"}",
        "{\"model\":\"a\",\"Model\":\"b\"}",
        "{\"model\":[\"a\"]}",
        "{\"model\":\"a\"} {}",
        "{\"model\":\"a\"",
      })
  void cannotNameItsModelInTwoWays(String body) throws Exception {
    assertEquals(400, rig.post(endpoint, "/messages", body).statusCode());
    assertEquals(List.of(), provider.seen());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"model\":\"m\",\"background\":true}",
        "{\"model\":\"m\",\"background\":false,\"background\":true}",
        "{\"model\":\"m\",\"Background\":1}",
      })
  void callsNoModelInTheBackground(String body) throws Exception {
    HttpResponse<byte[]> refused = rig.post(endpoint, "/responses", body);

    assertEquals(400, refused.statusCode());
    assertTrue(text(refused).contains("background"), text(refused));
    assertEquals(List.of(), provider.seen());
    String not = "{\"model\":\"m\",\"background\":false}";
    assertEquals(200, rig.post(endpoint, "/responses", not).statusCode());
  }

  @Test
  void callsNoModelThatIsNotAllowed() throws Exception {
    ModelGrant grant =
        new ModelGrant(
            new ModelRoute(ModelApi.MESSAGES, provider.origin()),
            Optional.empty(),
            Set.of("good", "better"),
            Prices.NONE,
            RunBounds.NONE,
            Usage.NONE);
    try (AttemptEndpoint picky = rig.gateway.open(grant)) {
      List<HttpResponse<byte[]>> refused =
          List.of(
              rig.post(picky, "/v1/messages", "{\"model\":\"bad\"}"),
              rig.post(picky, "/v1/messages", "{}"),
              rig.post(picky, "/v1/messages/count_tokens", "{\"model\":\"bad\"}"),
              rig.post(picky, "/v1/chat/completions", "{\"model\":\"good\",\"models\":[\"bad\"]}"),
              rig.post(picky, "/v1beta/models/bad:generateContent", "{\"model\":\"good\"}"));

      for (HttpResponse<byte[]> answer : refused) {
        assertEquals(400, answer.statusCode());
        assertTrue(text(answer).contains("Allowed: better, good."), text(answer));
      }
      assertEquals(List.of(), provider.seen());
      ModelNotice.ModelFailed told = GatewayRig.until(picky, ModelNotice.ModelFailed.class);
      assertEquals("model_not_allowed", told.code());
      assertEquals("bad", told.model());
      assertEquals(200, rig.post(picky, "/v1/messages", "{\"model\":\"good\"}").statusCode());
      assertEquals(List.of(), provider.seen().getFirst().all("x-api-key"));
    }
  }

  @Test
  void sendsNoMoreThanABodyMayHave() throws Exception {
    String start = "{\"model\":\"m\",\"x\":\"";
    String most = start + "a".repeat(BodyReader.BODY_BYTES_MAX - start.length() - 2) + "\"}";

    assertEquals(200, rig.post(endpoint, "/messages", most).statusCode());
    assertEquals(413, rig.post(endpoint, "/messages", most + " ").statusCode());

    assertEquals(1, provider.seen().size());
    assertEquals(BodyReader.BODY_BYTES_MAX, provider.seen().getFirst().body().length);
  }

  @Test
  void sendsAChunkedBodyOfNoMoreEither() throws Exception {
    String chunk = "100000\r\n" + " ".repeat(0x100000) + "\r\n";
    StringBuilder request =
        new StringBuilder(
            "POST %s/messages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                .formatted(GatewayRig.path(endpoint)));
    for (int i = 0; i < 33; i++) {
      request.append(chunk);
    }

    String answer = GatewayRig.raw(endpoint, request + "0\r\n\r\n");

    assertTrue(answer.startsWith("HTTP/1.1 413"), answer);
  }

  @Test
  void isUnderstoodWhenItsBodyComesInChunks() throws Exception {
    String answer =
        GatewayRig.raw(
            endpoint,
            String.join(
                    "\r\n",
                    "POST %s/messages HTTP/1.1",
                    "Host: x",
                    "Connection: close",
                    "Expect: 100-continue",
                    "Transfer-Encoding: chunked",
                    "",
                    "8;a=b",
                    "{\"model\"",
                    "5",
                    ":\"m\"}",
                    "0",
                    "Trailer: x",
                    "",
                    "")
                .formatted(GatewayRig.path(endpoint)));

    assertTrue(answer.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"), answer);
    assertEquals("{\"model\":\"m\"}", provider.seen().getFirst().text());
  }

  @Test
  void isToldToUseHttpInPlaceOfAWebSocket() throws Exception {
    String answer =
        GatewayRig.raw(
            endpoint,
            "GET %s/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
                .formatted(GatewayRig.path(endpoint)));

    assertTrue(answer.startsWith("HTTP/1.1 426"), answer);
  }

  @Test
  void cannotSendWhatNobodyCanRead() throws Exception {
    HttpResponse<byte[]> answer = rig.post(endpoint, "/messages", "x", "content-encoding", "zstd");

    assertEquals(415, answer.statusCode());
  }

  @Test
  void isRefusedTooManyHeaders() throws Exception {
    String head = "GET %s/models HTTP/1.1\r\nHost: x\r\n".formatted(GatewayRig.path(endpoint));

    String many = GatewayRig.raw(endpoint, head + "A: b\r\n".repeat(300) + "\r\n");
    String large = GatewayRig.raw(endpoint, head + "A: " + "b".repeat(70_000) + "\r\n\r\n");

    assertTrue(many.startsWith("HTTP/1.1 400"), many);
    assertTrue(large.startsWith("HTTP/1.1 431"), large);
  }

  @Test
  void findsNothingWhenItsAttemptHasEnded() throws Exception {
    try (AttemptEndpoint other =
        rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()))) {
      endpoint.close();

      assertEquals(401, rig.post(endpoint, "/messages", "{\"model\":\"m\"}").statusCode());
      assertEquals(200, rig.post(other, "/v1/messages", "{\"model\":\"m\"}").statusCode());
    }
  }

  @Test
  void cannotUseAnothersConnection() throws Exception {
    try (AttemptEndpoint other =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));
        Socket socket = GatewayRig.connect(other)) {
      String head = "HEAD %s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(GatewayRig.path(other));
      String then =
          "GET %s/models HTTP/1.1\r\nHost: x\r\n\r\n".formatted(GatewayRig.path(endpoint));
      socket.getOutputStream().write((head + then).getBytes(StandardCharsets.US_ASCII));

      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

      assertTrue(answers.startsWith("HTTP/1.1 200"), answers);
      assertTrue(answers.contains("HTTP/1.1 401"), answers);
    }
  }

  @Test
  void keepsNobodyOutByConnectionsThatSayNothing() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < ModelGateway.CONNECTIONS_MAX + 1; i++) {
        silent.add(GatewayRig.connect(endpoint));
      }
      assertEquals(200, rig.post(endpoint, "/messages", "{\"model\":\"m\"}").statusCode());
      assertEquals(-1, silent.getFirst().getInputStream().read(), "the oldest has given way");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /// The runner's descriptors are those of all its attempts.
  @Test
  void takesNoMoreDescriptorsHoweverManyConnectionsItOpens() throws Exception {
    int port = URI.create(endpoint.address()).getPort();
    Process flood =
        new ProcessBuilder(
                "perl",
                "-MIO::Socket::INET",
                "-e",
                "$| = 1; for (1..3000) { push @s, IO::Socket::INET->new(PeerAddr => '127.0.0.1',"
                    + " PeerPort => $ARGV[0]) } print 'open'; <STDIN>",
                Integer.toString(port))
            .start();
    try {
      assertEquals(
          "open", new String(flood.getInputStream().readNBytes(4), StandardCharsets.US_ASCII));
      assertEquals(200, rig.post(endpoint, "/messages", "{\"model\":\"m\"}").statusCode());
      long open = openSockets(port);
      assertTrue(open > 0);
      assertTrue(open < 2 * Strangers.STRANGERS_MAX, () -> open + " descriptors");
    } finally {
      flood.destroyForcibly();
    }
  }

  /// How many sockets of this port some process has: a connection that was closed, or not yet
  /// accepted, is listed without an inode.
  private static long openSockets(int port) throws IOException {
    long open = 0;
    for (Path table : List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"))) {
      List<String> lines = Files.exists(table) ? Files.readAllLines(table) : List.of();
      open +=
          lines.stream()
              .skip(1)
              .map(line -> line.strip().split(" +"))
              .filter(of -> of[1].endsWith(":%04X".formatted(port)) && !of[9].equals("0"))
              .count();
    }
    return open;
  }

  @Test
  void makesOnlySoManyCallsAtOnce() throws Exception {
    CountDownLatch all = new CountDownLatch(CallLedger.CALLS_MAX);
    CountDownLatch go = new CountDownLatch(1);
    try (FakeProvider slow =
            new FakeProvider(
                (_, out, _) -> {
                  all.countDown();
                  go.await();
                  FakeProvider.send(out, 200, "application/json", "{}");
                });
        AttemptEndpoint busy =
            rig.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, slow.origin()))) {
      List<CompletableFuture<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < CallLedger.CALLS_MAX; i++) {
        calls.add(
            CompletableFuture.supplyAsync(
                () -> status(busy), task -> Thread.ofPlatform().daemon().start(task)));
      }
      all.await();

      HttpResponse<byte[]> more = rig.post(busy, "/v1/messages", "{\"model\":\"m\"}");

      assertEquals(429, more.statusCode());
      assertEquals("1", more.headers().firstValue("retry-after").orElseThrow());
      go.countDown();
      for (CompletableFuture<Integer> call : calls) {
        assertEquals(200, call.get());
      }
    }
  }

  private int status(AttemptEndpoint to) {
    try {
      return rig.post(to, "/v1/messages", "{\"model\":\"m\"}").statusCode();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
