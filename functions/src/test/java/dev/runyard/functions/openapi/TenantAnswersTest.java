package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.ManageKeys;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.quota.Quotas;
import dev.runyard.functions.stream.BothFunctions;
import dev.runyard.testkit.openapi.Exchange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Answers that depend on what a tenant may do: its keys, its limits, the tokens of its streams.
final class TenantAnswersTest {
  private static final String KEY = "{\"scopes\":[\"runs:read\"]%s}";

  /// Three runs a minute, which the situation has submitted.
  private static final Quotas LIMITED =
      Quotas.parse("{\"default\": {\"minute_submits_max\": 3, \"timeout_seconds_max\": 60}}");

  @Test
  void aTenantHasAsManyKeysAsItMay() throws Exception {
    try (Situation situation = new Situation()) {
      Exchange made = situation.functions.post("/v1/keys", KEY.formatted(""));
      for (int i = 2; i < ManageKeys.KEYS_MAX; i++) {
        made = situation.functions.post("/v1/keys", KEY.formatted(""));
      }

      assertEquals(201, made.status());
      assertEquals("keys_full", situation.functions.post("/v1/keys", KEY.formatted("")).code());
    }
  }

  @Test
  void keysOfOtherTenantsAreForTheOperator() throws Exception {
    try (Situation situation = new Situation()) {
      BothFunctions functions = situation.functions;
      String other = KEY.formatted(",\"tenant\":\"other\"");

      assertEquals("foreign_tenant", functions.post("/v1/keys", other).code());
      assertEquals("foreign_tenant", functions.ask("GET", "/v1/keys?tenant=other").code());
      assertEquals(
          "foreign_tenant", functions.ask("POST", "/v1/keys/key_x/revoke?tenant=other").code());
    }
  }

  @Test
  void aStackThatWantsSignaturesIssuesNoTokens() throws Exception {
    try (Situation situation = new Situation();
        BothFunctions signed = situation.signed()) {
      String path = tokens(situation.listens);

      assertEquals("signed_access", signed.ask("POST", path).code());
      assertEquals("invalid_request", situation.functions.post(path, "{}").code());
    }
  }

  @Test
  void aTokenOpensTheEventsOfItsRun() throws Exception {
    try (Situation situation = new Situation()) {
      Exchange issued = situation.functions.ask("POST", tokens(situation.ended));
      String query = "?stream_token=" + json(issued).path("token").textValue();

      assertEquals(201, issued.status());
      assertEquals(200, situation.functions.ask("GET", events(situation.ended) + query).status());
      assertEquals(
          "unauthenticated", situation.functions.ask("GET", events(situation.asks) + query).code());
    }
  }

  @Test
  void everySubmitIsCounted() throws Exception {
    try (Situation situation = new Situation(LIMITED)) {
      for (var submit : submits("").entrySet()) {
        Exchange refused = situation.functions.post(submit.getKey(), submit.getValue());
        assertReached("quota_reached", 429, "minute_submits_max", 3, refused);
        assertEquals("60", refused.headers().get("retry-after"), submit.getKey());
      }
    }
  }

  @Test
  void everySubmitHasItsCeilings() throws Exception {
    try (Situation situation = new Situation(LIMITED)) {
      for (var submit : submits("\"timeout_seconds\":61").entrySet()) {
        Exchange refused = situation.functions.post(submit.getKey(), submit.getValue());
        assertReached("above_ceiling", 403, "timeout_seconds_max", 60, refused);
        assertEquals(Optional.empty(), Optional.ofNullable(refused.headers().get("retry-after")));
      }
    }
  }

  private static Map<String, String> submits(String members) {
    String more = members.isEmpty() ? "" : "," + members;
    String submit = "{\"agent\":\"echo\",\"prompt\":\"hi\"%s}".formatted(more);
    String create =
        "{\"agent_name\":\"echo\",\"mode\":\"async\",\"config\":{%s},\"input\":[{\"role\":\"user\",\"parts\":[]}]}"
            .formatted(members);
    return Map.of("/v1/runs", submit, "/runs", create);
  }

  private static void assertReached(
      String code, int status, String limit, int value, Exchange refused) throws Exception {
    JsonNode json = json(refused);
    JsonNode data = json.path("data").isObject() ? json.path("data") : json;
    assertEquals(code, refused.code(), refused::toString);
    assertEquals(status, refused.status());
    assertEquals(limit, data.path("limit").textValue());
    assertEquals(value, data.path("value").intValue());
  }

  @Test
  void publishingIsASubmitToo() throws Exception {
    try (Situation situation = new Situation(LIMITED)) {
      String path = "/v1/runs/" + situation.ended.runId() + "/publish";
      Exchange refused = situation.functions.post(path, "{\"branch\":\"fix\"}");
      assertReached("quota_reached", 429, "minute_submits_max", 3, refused);
    }
  }

  @Test
  void aPatchMayBeThatOfSeveralRuns() throws Exception {
    try (Situation situation = new Situation()) {
      String path = "/v1/runs/" + situation.ended.runId() + "/patch";

      assertEquals(200, situation.functions.ask("GET", path + "?whole=true").status());
      assertEquals(
          List.of("invalid_request", "invalid_request"),
          List.of(
              situation.functions.ask("GET", path + "?whole=false").code(),
              situation.functions.ask("GET", path + "?whole").code()));
    }
  }

  private static String tokens(RunKey run) {
    return "/v1/runs/" + run.runId() + "/stream-tokens";
  }

  private static String events(RunKey run) {
    return "/v1/runs/" + run.runId() + "/events";
  }

  private static JsonNode json(Exchange exchange) throws Exception {
    return JsonFormat.JSON.readTree(exchange.text());
  }
}
