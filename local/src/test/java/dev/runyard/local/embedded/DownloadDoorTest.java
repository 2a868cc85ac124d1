package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.embedded.StoreSettings;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.threads.StackThreads;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Readers of large objects that read nothing.
final class DownloadDoorTest {
  private static final String KEY = "acme/runs/r/changes/a/x";

  /// More than the buffers between server and client hold.
  private static final byte[] CONTENT = new byte[32 * 1024 * 1024];

  @TempDir private Path folder;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final StalledReaders readers = new StalledReaders(clock);
  private final ExecutorService threads = StackThreads.pool("door");
  private final List<Socket> stalled = new ArrayList<>();
  private EmbeddedStore store;
  private HttpServer server;
  private String path;

  @BeforeEach
  void open() throws Exception {
    store =
        EmbeddedStore.open(
            new StoreSettings(folder.resolve("data"), Duration.ofDays(30)),
            InstantSource.system(),
            new RandomIds(new Random(1)));
    store.large().put(KEY, new Zeros());
    path =
        store
            .large()
            .address(KEY, new LargeObjects.Label("x", "text/plain"), Instant.MAX.minusSeconds(1));
    HttpHandler door = DownloadDoor.of(store.large(), readers);
    server =
        LoopbackServer.start(
            threads,
            exchange -> {
              try (exchange) {
                door.handle(exchange);
              }
            });
  }

  @AfterEach
  void close() throws Exception {
    for (Socket socket : stalled) {
      socket.close();
    }
    server.stop(0);
    threads.close();
    store.close();
  }

  @Test
  void givesThePlaceOfAReaderThatTakesNothingToAnother() throws Exception {
    for (int i = 0; i < DownloadDoor.GETS_MAX; i++) {
      stall();
    }
    assertEquals(503, got(), "all places are taken");

    int status = got();
    while (status == 503) {
      clock.advance(Duration.ofSeconds(StalledReaders.STALLED_SECONDS_MAX + 1));
      readers.look();
      status = got();
    }

    assertEquals(206, status);
  }

  @Test
  void refusesOtherMethods() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(address()).DELETE().build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(405, answer.statusCode());
      assertEquals("GET", answer.headers().firstValue("Allow").orElse(""));
    }
  }

  /// Has a place once its answer begins.
  private void stall() throws Exception {
    Socket socket = new Socket();
    stalled.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getAddress().getPort()));
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"
                .formatted(path, server.getAddress().getPort())
                .getBytes(StandardCharsets.US_ASCII));
    assertTrue(socket.getInputStream().read() >= 0);
  }

  private int got() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(address()).header("Range", "bytes=0-9").build(),
              HttpResponse.BodyHandlers.ofByteArray())
          .statusCode();
    }
  }

  private URI address() {
    return LoopbackServer.address(server).resolve(path);
  }

  private static final class Zeros implements LargeObjects.Content {
    @Override
    public long bytes() {
      return CONTENT.length;
    }

    @Override
    public String sha256() {
      return HexFormat.of().formatHex(Digest.of(CONTENT));
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(CONTENT);
    }
  }
}
