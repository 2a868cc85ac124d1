package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.testkit.openapi.Exchange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers that are declared for one operation, or a few.
final class FurtherAnswersTest {
  private static final String MESSAGE =
      "{\"role\":\"user\",\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"hi\"}]}";

  private final Situation situation = new Situation();

  @AfterEach
  void close() {
    situation.close();
  }

  @Test
  void theDescriptionIsCached() throws Exception {
    Exchange whole = get("/openapi.json");
    String tag = whole.headers().getOrDefault("etag", "");

    assertEquals(200, whole.status());
    assertEquals(ApiDocument.text(), whole.text());
    assertEquals("public, max-age=300", whole.headers().get("cache-control"));
    assertEquals(304, get("/openapi.json", "If-None-Match", tag).status());
  }

  @Test
  void contentsComeInParts() throws Exception {
    for (String what : List.of("patch", "workspace", "artifacts/dist/a")) {
      String path = "/v1/runs/%s/%s".formatted(situation.ended.runId(), what);
      assertEquals(200, get(path).status());
      assertEquals(206, get(path, "Range", "bytes=1-").status());
      assertEquals(416, get(path, "Range", "bytes=99-").status());
    }
  }

  @Test
  void aSessionIsFull() throws Exception {
    String submit =
        "{\"agent\":\"echo\",\"prompt\":\"hi\",\"session_id\":\"019a0000-0000-4000-8000-000000000003\"}";
    for (int i = 0; i < TurnOrder.SESSION_RUNS_MAX; i++) {
      assertEquals(202, post("/v1/runs", submit).status());
    }

    assertEquals("session_full", post("/v1/runs", submit).code());
    assertEquals(
        "session_full", create(",\"session_id\":\"019a0000-0000-4000-8000-000000000003\"").code());
  }

  @Test
  void anInboxIsFull() throws Exception {
    String path = "/v1/runs/" + situation.listens.runId() + "/messages";
    for (int i = 0; i < Limits.MESSAGES_MAX; i++) {
      assertEquals(202, post(path, "{\"content\":\"hi\"}").status());
    }

    assertEquals("inbox_full", post(path, "{\"content\":\"hi\"}").code());
  }

  @Test
  void thereAreAsManyUploadsAsThereMayBe() throws Exception {
    for (int i = 0; i <= Limits.UPLOADS_MAX; i++) {
      byte[] content = {(byte) i, (byte) (i >> 8)};
      Exchange order = post("/v1/uploads", order(content));
      if (i == Limits.UPLOADS_MAX) {
        assertEquals("uploads_full", order.code());
      } else {
        JsonNode place = JsonFormat.JSON.readTree(order.text());
        assertTrue(situation.twins.places.put(place.at("/put/url").asText(), content));
      }
    }
  }

  private static String order(byte[] content) {
    return "{\"size_bytes\":%d,\"sha256\":\"%s\",\"format\":\"zip\"}"
        .formatted(content.length, HexFormat.of().formatHex(Digest.of(content)));
  }

  @Test
  void whatIsAskedIsTooMuchForOneAnswer() throws Exception {
    JsonNode large =
        JsonFormat.JSON
            .createObjectNode()
            .put("x", "\u0001".repeat(Limits.ACTION_JSON_BYTES_MAX / 7));
    String answer =
        "{\"decision\":\"answer\",\"payload\":\"%s\"}"
            .formatted("x".repeat(Limits.DECISION_BYTES_MAX - 10));
    RunKey run = situation.listens;
    for (int i = 1; i <= 100; i++) {
      Question question =
          new Question(ActionId.of(run, i), ActionType.QUESTION, "?", large, List.of(), 0, large);
      situation.twins.report(run, question.asked(situation.twins.clock.instant()));
      assertEquals(200, post("/v1/actions/" + ActionId.of(run, i), answer).status());
    }

    assertEquals("response_too_large", get("/v1/runs/" + run.runId() + "/actions").code());
  }

  @Test
  void aPageOfRunsIsTooLarge() throws Exception {
    String odd = "\u0001".repeat(4096);
    List<String> choices = Collections.nCopies(Limits.CHOICES_MAX, odd);
    for (int i = 0; i < ReadModels.LIST_MAX; i++) {
      RunKey run = situation.twins.submitted("s-" + i);
      situation
          .twins
          .runs()
          .execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", situation.twins.clock.instant()));
      situation.twins.report(
          run,
          new RunEvent.ProcessStarted("p-1", "echo"),
          new Question(ActionId.of(run, 1), ActionType.QUESTION, odd, null, choices, 0, null)
              .asked(situation.twins.clock.instant()));
      situation.twins.project().project(run);
    }

    assertEquals("response_too_large", get("/v1/runs?limit=100").code());
    assertEquals(200, get("/v1/runs?limit=10").status());
  }

  @Test
  void whatTheProtocolHasNot() throws Exception {
    assertEquals("invalid_request", get("/agents?limit=0").code());
    assertEquals("not_found", get("/resources/none").code());
  }

  @Test
  void aRunThatIsBeingCancelledTakesNoDecision() throws Exception {
    assertEquals(202, post("/v1/runs/" + situation.asks.runId() + "/cancel", "{}").status());

    assertEquals(
        "run_closed",
        post("/v1/actions/" + ActionId.of(situation.asks, 1), "{\"decision\":\"answer\"}").code());
  }

  @Test
  void theProtocolRefusesWhatASubmitRefuses() throws Exception {
    assertEquals(
        "unsupported_capability", create(",\"config\":{\"requires\":[\"agent_api.x\"]}").code());
    assertEquals(
        "session_mismatch",
        create(
                ",\"session_id\":\"019a0000-0000-4000-8000-000000000002\",\"session\":{\"id\":\"019a0000-0000-4000-8000-000000000003\"}")
            .code());
    assertEquals("not_found", get("/session/" + Situation.NO_RUN).code());
    assertEquals("not_found", get("/sessions/" + Situation.NO_RUN).code());
    Exchange placed = post("/v1/uploads", order(new byte[] {1}));
    String upload = JsonFormat.JSON.readTree(placed.text()).path("upload_id").asText();
    for (var workspace :
        Map.of(
                "workspace_not_found", "{\"run\":\"%s\"}".formatted(Situation.NO_RUN),
                "upload_incomplete", "{\"upload\":{\"id\":\"%s\"}}".formatted(upload),
                "upload_not_found",
                    "{\"upload\":{\"id\":\"%s\"}}".formatted(upload.replaceAll("-[0-9]+", "-1")))
            .entrySet()) {
      assertEquals(
          workspace.getKey(),
          create("codex", ",\"config\":{\"workspace\":%s}".formatted(workspace.getValue())).code());
    }
  }

  @Test
  void theProtocolsKeyMakesOneRun() throws Exception {
    List<String> codes = new ArrayList<>();
    for (String agent : List.of("echo", "codex")) {
      codes.add(
          situation
              .functions
              .ask(
                  "POST",
                  "/runs",
                  Map.of("Content-Type", "application/json", "Idempotency-Key", "k"),
                  Optional.of(body(agent, "").getBytes(StandardCharsets.UTF_8)))
              .code());
    }

    assertEquals(List.of("", "idempotency_mismatch"), codes);
  }

  @Test
  void whatTheProtocolCannotShowOrResume() throws Exception {
    String resume = "{\"await_resume\":{\"message\":%s},\"mode\":\"async\"}".formatted(MESSAGE);
    RunKey run = situation.asks;
    situation.twins.clock.advance(Duration.ofDays(2));
    assertEquals("action_decided", post("/runs/" + run.runId(), resume).code());
    RunEvent[] told = new RunEvent[2000];
    Arrays.fill(told, new RunEvent.ReasoningDelta("hm"));
    RunKey far = situation.listens;
    for (int i = 0; i < 51; i++) {
      situation.twins.report(far, told);
      situation.twins.project().project(far);
    }
    assertEquals("response_too_large", get("/resources/" + far.runId() + ".0").code());
    situation.ask(far, ActionType.MESSAGE);

    assertEquals("response_too_large", post("/runs/" + far.runId(), resume).code());
  }

  private Exchange create(String members) throws Exception {
    return create("echo", members);
  }

  private Exchange create(String agent, String members) throws Exception {
    return post("/runs", body(agent, members));
  }

  private static String body(String agent, String members) {
    return "{\"agent_name\":\"%s\",\"mode\":\"async\",\"input\":[%s]%s}"
        .formatted(agent, MESSAGE, members);
  }

  private Exchange get(String target, String... header) throws Exception {
    return situation.functions.ask(
        "GET",
        target,
        header.length == 0 ? Map.of() : Map.of(header[0], header[1]),
        Optional.empty());
  }

  private Exchange post(String target, String body) throws Exception {
    return situation.functions.post(target, body);
  }
}
