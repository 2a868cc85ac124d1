package dev.runyard.functions.manage;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static dev.runyard.functions.api.Client.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.hook.Hook;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HooksApiTest {
  private static final String HOOK =
      text(
          "{'name':'issues','sender':'github','secret':'GITHUB','when':[{'pointer':'/action','equals':'labeled'}],"
              + "'run':{'agent':'echo','prompt':'Fix {{/issue/title}}'}}");
  private static final String NOBODYS = "default." + "A".repeat(32);

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void makesShowsListsChangesAndDeletesAHook() {
    APIGatewayProxyResponseEvent made = client.call(post("/v1/hooks", HOOK));
    JsonNode hook = json(made);
    String id = hook.path("hook_id").asText();
    String path = "/v1/hooks/" + id;

    assertEquals(201, made.getStatusCode(), made.getBody());
    assertEquals(path, made.getHeaders().get("Location"));
    assertEquals("http://localhost" + path, hook.path("url").asText());
    assertTrue(hook.path("enabled").asBoolean());
    assertEquals("2026-03-01T12:00:00Z", hook.path("created_at").asText());
    assertEquals(hook, json(client.get(path)));
    JsonNode listed = json(client.get("/v1/hooks")).path("hooks");
    assertEquals(1, listed.size());
    assertEquals(id, listed.at("/0/hook_id").asText());
    assertFalse(listed.path(0).has("run"));
    twins.clock.advance(Duration.ofMinutes(1));
    JsonNode changed = json(patch(path, "{'enabled':false,'when':null}"));
    assertFalse(changed.path("enabled").asBoolean());
    assertFalse(changed.has("when"));
    assertEquals("2026-03-01T12:01:00Z", changed.path("updated_at").asText());
    assertEquals(hook.path("created_at"), changed.path("created_at"));
    APIGatewayProxyResponseEvent gone = client.call(request("DELETE", path));
    assertEquals(204, gone.getStatusCode());
    assertEquals("", gone.getBody());
    assertNotFound(client.get(path));
    assertNotFound(client.call(request("DELETE", path)));
  }

  @Test
  void makesOneForAKey() {
    APIGatewayProxyResponseEvent first = keyed("k", HOOK);
    APIGatewayProxyResponseEvent again = keyed("k", HOOK);

    assertEquals(201, again.getStatusCode());
    assertEquals(first.getBody(), again.getBody());
    assertEquals(1, json(client.get("/v1/hooks")).path("hooks").size());
    assertNotEquals(first.getBody(), keyed("other", HOOK).getBody());
    APIGatewayProxyResponseEvent mismatch = keyed("k", HOOK.replace("issues", "others"));
    assertEquals(422, mismatch.getStatusCode(), mismatch.getBody());
    assertEquals("idempotency_mismatch", json(mismatch).path("code").asText());
    assertEquals(400, keyed("none", "{").getStatusCode());
  }

  @Test
  void bindsNoKeyToWhatItRefuses() {
    assertEquals(400, keyed("k", HOOK.replace("GITHUB", "OTHER")).getStatusCode());

    assertEquals(201, keyed("k", HOOK).getStatusCode());
  }

  private APIGatewayProxyResponseEvent keyed(String key, String body) {
    return client.call(
        request("POST", "/v1/hooks")
            .withHeaders(Map.of("Content-Type", "application/json", "Idempotency-Key", key))
            .withBody(body));
  }

  @Test
  void drawsIdsThatNobodyGuesses() {
    String one = json(client.call(post("/v1/hooks", HOOK))).path("hook_id").asText();
    String other = json(client.call(post("/v1/hooks", HOOK))).path("hook_id").asText();

    assertNotEquals(one, other);
    assertEquals(32, HookId.parse(one).orElseThrow().token().length());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'secret':'GITHUB'|'secret':'OTHER'|400|invalid_request|/secret",
        "'agent':'echo'|'agent':'nobody'|404|unknown_backend|/run/agent",
        "'agent':'echo'|'agent':'Echo'|400|invalid_agent_kind|/run/agent",
        "'prompt':'Fix {{/issue/title}}'|'prompt':''|400|invalid_request|/run/prompt",
        "'agent':'echo'|'agent':'echo','timeout_seconds':-1|400|invalid_request|/run/timeout_seconds",
        "'agent':'echo'|'agent':'echo','other':1|400|invalid_request|/run/other",
        "'agent':'echo'|'agent':'echo','env':{'A':{'secret':'X'}}|400|invalid_request|/run/env/A",
        "'agent':'echo'|'agent':'echo','workspace':{'git':{'url':'https://h/{{/a}}'}}|400|unsupported_capability|/run/workspace",
        "'agent':'echo'|'agent':'codex','workspace':{'git':{'url':'https://h/{{/a}}','credential':'X'}}|400|invalid_request|/run/workspace/git/credential",
        "'agent':'echo'|'agent':'codex','workspace':{'git':{'url':'https://h/{{/a}}'},'publish':{'branch':'{{/b}}'}}|400|invalid_request|/run/workspace/publish/branch",
      })
  void refusesAHookThatCouldStartNothing(
      String part, String other, int status, String code, String pointer) {
    APIGatewayProxyResponseEvent refused =
        client.call(post("/v1/hooks", HOOK.replace(text(part), text(other))));

    assertEquals(status, refused.getStatusCode(), refused.getBody());
    assertEquals(code, json(refused).path("code").asText(), refused.getBody());
    assertEquals(pointer, json(refused).at("/errors/0/pointer").asText(), refused.getBody());
    assertEquals(0, json(client.get("/v1/hooks")).path("hooks").size());
  }

  @Test
  void refusesAChangeThatWouldMakeItWrong() {
    String path = made();

    assertEquals(400, patch(path, "{'sender':'hmac'}").getStatusCode());
    assertEquals(400, patch(path, "{'run':null}").getStatusCode());
    assertEquals(400, patch(path, "{'other':1}").getStatusCode());
    assertEquals(415, client.call(request("PATCH", path).withBody("{}")).getStatusCode());
    assertEquals("github", json(client.get(path)).path("sender").asText());
    assertNotFound(patch("/v1/hooks/" + NOBODYS, "{}"));
  }

  @Test
  void hidesTheHooksOfOthers() {
    Hook other =
        new Hook(
            new HookId("other", "B".repeat(32)),
            1,
            JsonFormat.JSON.createObjectNode(),
            twins.clock.instant(),
            twins.clock.instant());
    assertTrue(twins.hookStore().write(other));
    String theirs = "/v1/hooks/" + other.id().text();

    String never = client.get("/v1/hooks/" + NOBODYS).getBody();
    for (APIGatewayProxyResponseEvent answer :
        List.of(
            client.get(theirs),
            patch(theirs, "{'enabled':false}"),
            client.call(request("DELETE", theirs)),
            client.get(theirs + "/deliveries"),
            client.call(post(theirs + "/dry-run", "{\"body\":{}}")))) {
      assertNotFound(answer);
      assertEquals(never, answer.getBody());
    }
    assertEquals(0, json(client.get("/v1/hooks")).path("hooks").size());
    assertTrue(twins.hookStore().find(other.id()).isPresent());
  }

  @Test
  void holdsABoundedNumber() {
    for (int i = 0; i < HookLimits.HOOKS_MAX; i++) {
      assertEquals(201, client.call(post("/v1/hooks", HOOK)).getStatusCode());
    }
    APIGatewayProxyResponseEvent full = client.call(post("/v1/hooks", HOOK));

    assertEquals(409, full.getStatusCode());
    assertEquals("hooks_full", json(full).path("code").asText());
  }

  @Test
  void triesASampleWithoutStartingAnything() {
    String path = made() + "/dry-run";

    JsonNode would =
        json(client.call(post(path, text("{'body':{'action':'labeled','issue':{'title':'it'}}}"))));
    assertEquals("started", would.path("outcome").asText(), would::toString);
    assertEquals("Fix it", would.at("/run/prompt").asText());
    JsonNode ignored = json(client.call(post(path, text("{'body':{'action':'opened'}}"))));
    assertEquals("ignored", ignored.path("outcome").asText());
    assertEquals("filter on /action: has another value", ignored.path("reason").asText());
    JsonNode refused = json(client.call(post(path, text("{'body':{'action':'labeled'}}"))));
    assertEquals("refused", refused.path("outcome").asText());
    assertEquals("/prompt", refused.at("/problem/errors/0/pointer").asText());
    JsonNode form =
        json(
            client.call(
                post(
                    path,
                    text(
                        "{'headers':{'Content-Type':'application/x-www-form-urlencoded'},'body':'action=labeled'}"))));
    assertEquals("refused", form.path("outcome").asText(), form::toString);
    assertEquals(400, client.call(post(path, "{}")).getStatusCode());
    assertEquals(
        400, client.call(post(path, text("{'body':{},'headers':{'a':1}}"))).getStatusCode());
    assertEquals(0, twins.events.streams().size());
    assertEquals(0, json(client.get(made() + "/deliveries")).path("deliveries").size());
  }

  private String made() {
    return "/v1/hooks/" + json(client.call(post("/v1/hooks", HOOK))).path("hook_id").asText();
  }

  private APIGatewayProxyResponseEvent patch(String path, String body) {
    return client.call(
        request("PATCH", path)
            .withHeaders(Map.of("Content-Type", "application/json"))
            .withBody(text(body)));
  }

  private static void assertNotFound(APIGatewayProxyResponseEvent answer) {
    assertEquals(404, answer.getStatusCode());
    assertEquals("hook_not_found", json(answer).path("code").asText());
  }

  private static String text(String json) {
    return json.replace('\'', '"');
  }
}
