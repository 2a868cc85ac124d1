package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.client.RunServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VerifyCommandTest {
  private static final String FIRST = "a".repeat(64);
  private static final String SECOND = "b".repeat(64);
  private static final String THIRD = "c".repeat(64);

  private final RunServer server = new RunServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void readsAllPagesOfAnIntactLog() {
    server.on(
        "GET /v1/runs/r1/chunks",
        (exchange, request) ->
            RunServer.respond(
                exchange,
                200,
                request.line().endsWith("after=0")
                    ? page(true, 3, THIRD, link(1, 2, "", FIRST))
                    : page(false, 3, SECOND, link(3, 3, FIRST, SECOND))));
    assertEquals(new Cli.Outcome(0, "intact: 3 events in 2 chunks\n", ""), verify());
    assertEquals(2, server.requests().size());
  }

  @Test
  void namesTheFirstBrokenChunk() {
    answer(page(false, 0, FIRST, link(1, 2, "", FIRST), link(3, 4, THIRD, SECOND)));
    Cli.Outcome outcome = verify();
    assertEquals(1, outcome.exit());
    assertTrue(outcome.out().startsWith("broken at event 3: it was written behind"), outcome.out());
  }

  @Test
  void namesAGap() {
    answer(page(false, 0, FIRST, link(1, 2, "", FIRST), link(4, 4, FIRST, SECOND)));
    Cli.Outcome outcome = verify();
    assertEquals(1, outcome.exit());
    assertTrue(outcome.out().startsWith("broken at event 4: events before it"), outcome.out());
  }

  @Test
  void namesALogThatWasWrittenAnew() {
    answer(page(false, 2, THIRD, link(1, 2, "", FIRST)));
    Cli.Outcome outcome = verify();
    assertEquals(1, outcome.exit());
    assertTrue(outcome.out().startsWith("broken at event 1: the read model"), outcome.out());
  }

  @Test
  void namesWhereALogIsCutOff() {
    answer(page(false, 4, SECOND, link(1, 2, "", FIRST)));
    Cli.Outcome outcome = verify();
    assertEquals(1, outcome.exit());
    assertTrue(outcome.out().startsWith("broken at event 3: it and all behind"), outcome.out());
  }

  @Test
  void namesALogOfWhichNothingIsLeft() {
    answer(page(false, 4, SECOND));
    assertEquals(1, verify().exit());
  }

  @Test
  void countsTheChunksOfAnEarlierVersion() {
    answer(page(false, 0, FIRST, link(1, 2, "", FIRST), link(3, 3, "", SECOND)));
    Cli.Outcome outcome = verify();
    assertEquals(0, outcome.exit());
    assertTrue(outcome.out().contains("1 have no link"), outcome.out());
  }

  @Test
  void printsItAsJson() {
    answer(page(false, 0, FIRST, link(1, 2, "", FIRST), link(3, 4, THIRD, SECOND)));
    Cli.Outcome outcome =
        new Cli().with("RUNYARD_URL", server.uri().toString()).run("verify", "r1", "-o", "json");
    assertEquals(1, outcome.exit());
    assertTrue(outcome.out().contains("\"intact\""), outcome.out());
    assertTrue(outcome.out().contains("other_before"), outcome.out());
  }

  @Test
  void saysThatThereIsNoSuchRun() {
    assertEquals(1, verify().exit());
  }

  private Cli.Outcome verify() {
    return new Cli().with("RUNYARD_URL", server.uri().toString()).run("verify", "r1");
  }

  private void answer(String page) {
    server.on("GET /v1/runs/r1/chunks", 200, page);
  }

  private static String link(long first, long last, String previous, String hash) {
    return "{\"first\":%d,\"last\":%d,\"previous\":%s,\"hash\":\"%s\"}"
        .formatted(first, last, previous.isEmpty() ? "null" : "\"" + previous + "\"", hash);
  }

  private static String page(boolean more, long sequence, String hash, String... links) {
    return "{\"chunks\":[%s],\"more\":%s,\"read_model\":{\"sequence\":%d,\"hash\":\"%s\"}}"
        .formatted(String.join(",", links), more, sequence, hash);
  }
}
