package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.cli.client.RunServer;
import dev.runyard.core.ids.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Downloads from a server that sends on to another one, as a stack on AWS does with large files.
final class DownloadCommandTest {
  private static final byte[] CONTENT = content();
  private static final String PATH = "GET /v1/runs/r1/artifacts/dist/big file";

  private final RunServer server = new RunServer();
  private final RunServer store = new RunServer();
  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final Cli cli =
      new Cli().with("RUNYARD_URL", server.uri().toString()).with("RUNYARD_TOKEN", "a-key");
  @TempDir private Path folder;

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  @Test
  void followsToAnotherServerWithoutSayingWhoCalls() throws IOException {
    listed(HexFormat.of().formatHex(Digest.of(CONTENT)));
    server.on(PATH, (exchange, _) -> sendOn(exchange));
    store.on("GET /signed", (exchange, _) -> send(exchange));

    Cli.Outcome outcome = download();

    assertEquals(0, outcome.exit(), outcome.err());
    assertArrayEquals(CONTENT, Files.readAllBytes(folder.resolve("dist/big file")));
    assertEquals(List.of("Bearer a-key", "null"), shown);
  }

  @Test
  void savesNothingWhoseHashIsAnother() throws IOException {
    listed("ab".repeat(32));
    server.on(PATH, (exchange, _) -> sendOn(exchange));
    store.on("GET /signed", (exchange, _) -> send(exchange));

    Cli.Outcome outcome = download();

    assertEquals(1, outcome.exit());
    assertTrue(outcome.err().contains("SHA-256"), outcome.err());
    nothingIsLeft();
  }

  @Test
  void saysWhatTheServerRefuses() throws IOException {
    listed("ab".repeat(32));
    server.on(
        PATH, 404, "{\"status\":404,\"code\":\"changes_not_found\",\"detail\":\"It is gone.\"}");

    Cli.Outcome outcome = download();

    assertTrue(outcome.err().contains("It is gone."), outcome.err());
    assertTrue(outcome.exit() != 0);
    nothingIsLeft();
  }

  @Test
  void goesNowhereThatOthersCouldRead() throws IOException {
    listed("ab".repeat(32));
    server.on(
        PATH,
        (exchange, _) -> {
          exchange.getResponseHeaders().set("Location", "http://example.org/x");
          exchange.sendResponseHeaders(307, -1);
        });

    Cli.Outcome outcome = download();

    assertEquals(1, outcome.exit());
    assertTrue(outcome.err().contains("could read it"), outcome.err());
    nothingIsLeft();
  }

  private void listed(String sha256) {
    server.on(
        "GET /v1/runs/r1/artifacts",
        200,
        "{\"artifacts\":[{\"name\":\"dist/big file\",\"bytes\":%d,\"sha256\":\"%s\"}]}"
            .formatted(CONTENT.length, sha256));
  }

  private Cli.Outcome download() {
    return cli.run("download", "r1", "--to", folder.toString());
  }

  private void nothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.walk(folder)) {
      assertEquals(List.of(), left.filter(Files::isRegularFile).toList());
    }
  }

  private void sendOn(HttpExchange exchange) throws IOException {
    note(exchange);
    exchange.getResponseHeaders().set("Location", store.uri() + "/signed?X-Amz-Signature=abc");
    exchange.sendResponseHeaders(307, -1);
  }

  private void note(HttpExchange exchange) {
    shown.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
  }

  private void send(HttpExchange exchange) throws IOException {
    note(exchange);
    exchange.sendResponseHeaders(200, CONTENT.length);
    exchange.getResponseBody().write(CONTENT);
  }

  private static byte[] content() {
    byte[] content = new byte[300_000];
    new Random(1).nextBytes(content);
    return content;
  }
}
