package dev.runyard.functions.manage;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.KeyText;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class KeysApiTest {
  private static final String ORDER =
      "{\"name\":\"ci\",\"scopes\":[\"runs:write\",\"runs:read\"],\"expires_in_seconds\":3600}";
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void showsAKeyOnce() {
    APIGatewayProxyResponseEvent made = client.call(post("/v1/keys", ORDER));
    assertEquals(201, made.getStatusCode());
    JsonNode key = json(made);
    String text = key.path("key").textValue();
    assertTrue(KeyText.FORM.matcher(text).matches());
    assertEquals("ci", key.path("name").textValue());
    assertEquals("default", key.path("tenant").textValue());
    assertEquals("[\"runs:read\",\"runs:write\"]", key.path("scopes").toString());
    assertEquals("key:" + key.path("id").textValue(), key.path("actor").textValue());
    assertEquals("client", key.path("created_by").textValue());
    assertEquals("2026-03-01T12:00:00Z", key.path("created_at").textValue());
    assertEquals("2026-03-01T13:00:00Z", key.path("expires_at").textValue());
    assertTrue(key.path("revoked_at").isNull());

    String listed = client.get("/v1/keys").getBody();
    assertTrue(listed.contains(key.path("id").textValue()));
    assertFalse(listed.contains(text));
    assertFalse(listed.contains(KeyText.shown(text).orElseThrow().hash()));
    assertFalse(twins.logged().contains(text));
  }

  @Test
  void revokesAKey() {
    String id = json(client.call(post("/v1/keys", ORDER))).path("id").textValue();
    APIGatewayProxyResponseEvent revoked = client.call(post("/v1/keys/" + id + "/revoke", ""));

    assertEquals(200, revoked.getStatusCode());
    assertEquals("2026-03-01T12:00:00Z", json(revoked).path("revoked_at").textValue());
    assertEquals(json(revoked), json(client.get("/v1/keys")).path("keys").path(0));
    assertEquals(json(revoked), json(client.call(post("/v1/keys/" + id + "/revoke", ""))));
  }

  @Test
  void refusesWhatIsNotForThisCaller() {
    for (List<String> wrong :
        List.of(
            List.of("{\"scopes\":[\"runs:read\"],\"tenant\":\"other\"}", "foreign_tenant"),
            List.of("{\"scopes\":[]}", "invalid_request"),
            List.of("{", "malformed_json"))) {
      JsonNode problem = json(client.call(post("/v1/keys", wrong.getFirst())));
      assertEquals(wrong.getLast(), problem.path("code").textValue());
    }
    assertEquals(
        "foreign_tenant",
        json(client.get("/v1/keys", Map.of("tenant", "other"))).path("code").textValue());
    assertEquals(200, client.get("/v1/keys", Map.of("tenant", "default")).getStatusCode());
    assertEquals(
        "invalid_request",
        json(client.get("/v1/keys", Map.of("tenant", "NO"))).path("code").textValue());
    assertEquals(
        "key_not_found",
        json(client.call(post("/v1/keys/key_x/revoke", ""))).path("code").textValue());
  }
}
