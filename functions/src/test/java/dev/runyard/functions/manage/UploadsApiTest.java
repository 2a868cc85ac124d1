package dev.runyard.functions.manage;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.limits.Limits;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class UploadsApiTest {
  private static final byte[] CONTENT = "an archive".getBytes(StandardCharsets.UTF_8);

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void givesAPlaceAndSaysWhenTheBytesAreThere() {
    APIGatewayProxyResponseEvent answer = client.call(order());
    JsonNode waiting = json(answer);
    String id = waiting.path("upload_id").asText();

    assertEquals(201, answer.getStatusCode());
    assertEquals("/v1/uploads/" + id, answer.getHeaders().get("Location"));
    assertEquals("waiting", waiting.path("state").asText());
    assertEquals("PUT", waiting.at("/put/method").asText());
    assertTrue(waiting.at("/put/headers").isObject());
    assertEquals("2026-03-01T12:15:00Z", waiting.at("/put/expires_at").asText());
    assertEquals("2026-03-02T12:00:00Z", waiting.path("expires_at").asText());
    assertEquals("waiting", json(client.get("/v1/uploads/" + id)).path("state").asText());
    put(waiting);
    assertEquals("stored", json(client.get("/v1/uploads/" + id)).path("state").asText());
    APIGatewayProxyResponseEvent again = client.call(order());
    assertEquals(200, again.getStatusCode());
    assertEquals(id, json(again).path("upload_id").asText());
    assertTrue(json(again).path("put").isMissingNode());
  }

  @Test
  void namesAPlaceOfItsOwnServerAsTheClientReachedIt() {
    JsonNode order =
        json(
            client.call(
                order()
                    .withHeaders(
                        Map.of("Content-Type", "application/json", "Host", "localhost:7070"))));

    assertEquals("http://localhost:7070/put/0", order.at("/put/url").asText());
  }

  @Test
  void refusesARunWhoseUploadIsNotThere() {
    JsonNode waiting = json(client.call(order()));
    String id = waiting.path("upload_id").asText();

    assertRefused(409, "upload_incomplete", run(id));
    assertRefused(
        404, "upload_not_found", run(id.replace("tar.gz", "zip").replaceAll("-[0-9]+", "-1")));
    put(waiting);
    assertEquals(202, run(id).getStatusCode());
    twins.clock.advance(Duration.ofSeconds(Limits.UPLOAD_SECONDS));
    assertRefused(404, "upload_not_found", run(id));
    assertEquals(404, client.get("/v1/uploads/" + id).getStatusCode());
    assertEquals(1, twins.queue.runs().size());
  }

  @Test
  void refusesAnOrderOfOtherForm() {
    assertRefused(400, "invalid_request", client.call(post("/v1/uploads", "{}")));
    assertRefused(400, "malformed_json", client.call(post("/v1/uploads", "{")));
    assertEquals(404, client.get("/v1/uploads/x").getStatusCode());
  }

  private static void assertRefused(int status, String code, APIGatewayProxyResponseEvent answer) {
    assertEquals(status, answer.getStatusCode(), answer.getBody());
    assertEquals(code, json(answer).path("code").asText());
  }

  private APIGatewayProxyResponseEvent run(String upload) {
    return client.call(
        post(
            "/v1/runs",
            """
            {"agent":"codex","prompt":"hi","workspace":{"upload":{"id":"%s"}}}
            """
                .formatted(upload)));
  }

  private void put(JsonNode waiting) {
    assertTrue(twins.places.put(waiting.at("/put/url").asText(), CONTENT));
  }

  private static com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent order() {
    return post(
        "/v1/uploads",
        "{\"size_bytes\":%d,\"sha256\":\"%s\",\"format\":\"tar.gz\"}"
            .formatted(CONTENT.length, HexFormat.of().formatHex(Digest.of(CONTENT))));
  }
}
