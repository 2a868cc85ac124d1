package dev.runyard.cli.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StackProbeTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final HttpServer server;
  private @Nullable String shown = "";

  StackProbeTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      shown = exchange.getRequestHeaders().getFirst("Authorization");
      exchange.sendResponseHeaders(401, -1);
    }
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | unauthenticated | 0 | takes keys and tokens, clock in step",
        "403 | not_signed | 300 | takes AWS signatures, this clock is 300 s ahead",
        "401 | no_token | -61 | takes its access token, this clock is 61 s behind",
        "200 | none | 60 | takes anybody, clock in step",
        "502 | other | 0 | clock in step",
      })
  void tellsWhatTheStackTakesAndWhatTimeItIsThere(
      int status, String problem, int ahead, String told) {
    StackProbe probe =
        StackProbe.read(
            status,
            "{\"code\":\"" + problem + "\"}",
            Optional.of("Sun, 1 Mar 2026 12:00:00 GMT"),
            NOW.plusSeconds(ahead));

    assertEquals(told, probe.text());
  }

  @Test
  void readsNothingIntoAnAnswerOfSomethingElse() {
    assertEquals("time unknown", StackProbe.read(401, "<html>", Optional.of("x"), NOW).text());
    assertEquals("time unknown", StackProbe.read(401, "", Optional.empty(), NOW).text());
  }

  @Test
  void asksWithoutShowingAnything() throws InterruptedException {
    assertTrue(probe().orElseThrow().ahead().isPresent());
    assertNull(shown);
  }

  @Test
  void tellsThatNobodyAnswers() throws InterruptedException {
    server.stop(0);

    assertEquals(Optional.empty(), probe());
  }

  private Optional<StackProbe> probe() throws InterruptedException {
    return StackProbe.of(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort()), InstantSource.system());
  }
}
