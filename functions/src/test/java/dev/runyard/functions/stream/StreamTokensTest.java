package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Identity;
import dev.runyard.core.access.IssueStreamToken;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.access.KeyText;
import dev.runyard.core.access.Scope;
import dev.runyard.core.access.StreamToken;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.stream.StreamRig.Stream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A page reads a run's events with a token in the address, and nothing else with it.
final class StreamTokensTest {
  private static final Authentication NOBODY =
      _ ->
          new Authentication.Result.Refused(
              Problem.of(ProblemCode.UNAUTHENTICATED, "Nobody is known."));
  private static final String LISTED = "https://app.example.com";

  private final StreamRig rig = new StreamRig(_ -> NOBODY);
  private final Random random = new Random(5);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void opensTheEventsOfItsRun() throws Exception {
    RunKey run = rig.twins.running();
    String token = issue(run);
    try (Stream stream = rig.stream(events(run, token), "Origin", LISTED)) {
      assertEquals(200, stream.response.statusCode());
      assertEquals(LISTED, header(stream.response, "Access-Control-Allow-Origin"));
      assertEquals("no-store", header(stream.response, "Cache-Control"));
      assertEquals("no-referrer", header(stream.response, "Referrer-Policy"));
      assertEquals("1", stream.next(1).getFirst().id());
    }
    try (Stream stream = rig.stream(events(run, token), "Last-Event-ID", "3")) {
      assertEquals("4", stream.next(1).getFirst().id());
    }
    assertEquals(200, rig.get(events(run, token)).statusCode());
    assertFalse(rig.twins.logged().contains(token), rig.twins.logged());
  }

  @Test
  void opensNothingElse() throws Exception {
    RunKey run = rig.twins.running();
    RunKey other = rig.twins.submitted("s-2");
    String token = issue(run);
    assertRefused(rig.get(events(other, token)));
    for (String path :
        List.of(
            "/v1/runs/" + run.runId() + "/changes?stream_token=" + token,
            "/runs/" + run.runId() + "/events?stream_token=" + token,
            events(run, token + "x"),
            events(run, ""),
            events(run, "rys_" + "x".repeat(43)),
            events(run, StreamToken.hash(token).orElseThrow()))) {
      assertRefused(rig.get(path));
    }
    assertRefused(
        rig.send(
            rig.request(StreamRig.events(run, "")).header("Authorization", "Bearer " + token)));
  }

  @Test
  void isGoodForSomeMinutes() throws Exception {
    RunKey run = rig.twins.running();
    String token = issue(run);
    rig.twins.clock.advance(Duration.ofSeconds(StreamToken.STREAM_TOKEN_SECONDS - 100));
    try (Stream stream = rig.stream(events(run, token))) {
      stream.next(5);
      rig.ticks.awaitPaused(1);
      rig.twins.clock.advance(Duration.ofSeconds(99));
      rig.twins.report(run, new RunEvent.ModelDelta("x"));
      rig.ticks.tick();
      assertEquals("6", stream.next(1).getFirst().id());
      rig.ticks.awaitPaused(1);
      rig.twins.clock.advance(Duration.ofSeconds(1));
      rig.ticks.tick();
      assertNull(stream.next());
    }
    HttpResponse<String> again =
        rig.send(
            rig.request(events(run, token))
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", "6"));
    assertRefused(again);
  }

  @Test
  void endsWithTheKeyThatAskedForIt() throws Exception {
    RunKey run = rig.twins.running();
    KeyText text = KeyText.drawn(random);
    AccessKey key = key(run.tenant(), text);
    String token = issue(run, key.identity());
    try (Stream stream = rig.stream(events(run, token))) {
      stream.next(5);
      rig.ticks.awaitPaused(1);
      rig.twins.ports.accessKeys().revoke(run.tenant(), key.id(), rig.twins.clock.instant());
      rig.twins.clock.advance(
          Duration.ofSeconds(KeyCheck.REMEMBERED_SECONDS + Admission.ASKED_SECONDS));
      rig.ticks.tick();
      assertNull(stream.next());
    }
    assertRefused(rig.get(events(run, token)));
    assertTrue(KeyCheck.REMEMBERED_SECONDS + Admission.ASKED_SECONDS < 60);
  }

  private AccessKey key(String tenant, KeyText text) {
    AccessKey key =
        AccessKey.made(
            text,
            "key_1",
            new AccessKey.Grant(
                tenant, Optional.empty(), Set.of(Scope.RUNS_READ), Optional.empty()),
            "test",
            rig.twins.clock.instant());
    rig.twins.ports.accessKeys().add(key);
    return key;
  }

  private static void assertRefused(HttpResponse<String> answer) {
    assertEquals(401, answer.statusCode(), answer.body());
    assertFalse(answer.body().contains("rys_"), answer.body());
  }

  private String issue(RunKey run) {
    return issue(run, new Identity.Principal("client", run.tenant(), Set.of()));
  }

  private String issue(RunKey run, Identity by) {
    return new IssueStreamToken(rig.twins.streamTokens, rig.twins.clock, random)
        .issue(run, by)
        .text();
  }

  private static String events(RunKey run, String token) {
    return StreamRig.events(run, "?stream_token=" + token);
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
