package dev.runyard.cli.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is sent again where the server cannot answer just now.
final class ReadTriesTest {
  private static final String REFUSAL = "{\"code\":\"unavailable\",\"detail\":\"ask again\"}";

  private final RunServer server = new RunServer();
  private final List<Duration> pauses = new ArrayList<>();
  private final RunyardClient client =
      new RunyardClient(
          server.uri(), Sender.of(server.uri(), new Identification.None()), pauses::add);

  @TempDir private Path folder;

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void readsUntilTheServerAnswers() {
    answersAfter(2, "GET /v1/runs/r1", "{\"run_id\":\"r1\"}");

    var reply = assertInstanceOf(ServerReply.Done.class, client.run("r1"));

    assertEquals("r1", reply.body().path("run_id").textValue());
    assertEquals(List.of(Duration.ofMillis(500), Duration.ofSeconds(1)), pauses);
  }

  @Test
  void savesWhatItGotInTheEnd() throws IOException {
    answersAfter(1, "GET /v1/runs/r1/artifacts/x", "content");
    Path to = folder.resolve("x");

    assertInstanceOf(ServerReply.Done.class, client.artifact("r1", "x", to));

    assertEquals("content", Files.readString(to));
  }

  @Test
  void givesUp() {
    answersAfter(100, "GET /v1/runs/r1", "{}");

    var reply = assertInstanceOf(ServerReply.Refused.class, client.run("r1"));

    assertEquals("unavailable", reply.problem().code());
    assertEquals(ReadTries.TRIES_MAX, server.requests().size());
  }

  @Test
  void sendsNothingAgainThatChangesSomethingOrThatIsRefused() {
    answersAfter(1, "POST /v1/runs/r1/cancel", "{}");
    server.on("GET /v1/runs/r1", 404, "{\"code\":\"run_not_found\"}");

    assertInstanceOf(ServerReply.Refused.class, client.cancel("r1", "seen enough"));
    assertInstanceOf(ServerReply.Refused.class, client.run("r1"));

    assertEquals(2, server.requests().size());
    assertEquals(List.of(), pauses);
  }

  private void answersAfter(int refusals, String line, String answer) {
    AtomicInteger asked = new AtomicInteger();
    server.on(
        line,
        (exchange, _) -> {
          boolean refused = asked.getAndIncrement() < refusals;
          RunServer.respond(exchange, refused ? 503 : 200, refused ? REFUSAL : answer);
        });
  }
}
