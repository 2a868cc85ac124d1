package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.job.JobKey;
import dev.runyard.functions.Twins;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Jobs over HTTP.
final class JobsApiTest {
  private static final String TWO =
      "{\"job_id\":\"j1\",\"request\":{\"agent\":\"echo\"},\"items\":[{\"prompt\":\"a\"},{\"prompt\":\"b\"}]}";

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  private JsonNode post(int status, String path, String body) {
    var response =
        client.call(body.isEmpty() ? Client.request("POST", path) : Client.post(path, body));
    assertEquals(status, response.getStatusCode(), response.getBody());
    return Client.json(response);
  }

  private JsonNode get(String path, Map<String, String> query) {
    var response = client.call(Client.request("GET", path).withQueryStringParameters(query));
    assertEquals(200, response.getStatusCode(), response.getBody());
    return Client.json(response);
  }

  @Test
  void isCreatedStartedAndRead() {
    assertEquals(2, post(202, "/v1/jobs", TWO).at("/counts/pending").asInt());
    assertEquals("created", get("/v1/jobs/j1", Map.of()).path("status").asText());
    assertEquals(
        3,
        post(202, "/v1/jobs/j1/items", "{\"items\":[{\"prompt\":\"c\"}]}")
            .at("/counts/total")
            .asInt());
    assertEquals("running", post(202, "/v1/jobs/j1/start", "").path("status").asText());
    twins.useCases.jobs().advanceJob().advance(new JobKey("default", "j1"), List.of());
    JsonNode page = get("/v1/jobs/j1/items", Map.of("status", "running", "limit", "2"));
    assertEquals(2, page.path("items").size());
    assertEquals(3, page.path("next_from").asInt());
    assertTrue(page.at("/items/0/run_id").isTextual());
    assertEquals("j1", get("/v1/jobs", Map.of()).at("/jobs/0/job_id").asText());
  }

  @Test
  void pagesThroughTheJobsOfATenant() {
    for (int i = 1; i <= 3; i++) {
      post(202, "/v1/jobs", TWO.replace("j1", "j" + i));
    }
    JsonNode first = get("/v1/jobs", Map.of("limit", "2"));
    JsonNode rest =
        get("/v1/jobs", Map.of("limit", "2", "cursor", first.path("next_cursor").asText()));

    assertEquals(2, first.path("jobs").size());
    assertEquals(1, rest.path("jobs").size());
    assertTrue(rest.path("next_cursor").isNull());
  }

  @Test
  void refusesWhatCannotBe() {
    post(202, "/v1/jobs", TWO);
    assertEquals(
        "/items/0/prompt",
        post(400, "/v1/jobs", TWO.replace("\"a\"", "7")).at("/errors/0/pointer").asText());
    assertEquals(
        "/items/0/turn_id",
        post(400, "/v1/jobs", TWO.replace("\"a\"", "\"a\",\"turn_id\":\"t\""))
            .at("/errors/0/pointer")
            .asText());
    code(422, "idempotency_mismatch", "/v1/jobs", TWO.replace("\"a\"", "\"z\""));
    code(404, "job_not_found", "/v1/jobs/other/start", "");
    code(404, "item_not_found", "/v1/jobs/j1/items/9/retry", "");
    code(404, "item_not_found", "/v1/jobs/j1/items/x/retry", "");
    code(409, "item_not_failed", "/v1/jobs/j1/items/1/retry", "");
    code(409, "item_not_failed", "/v1/jobs/j1/items/1/report", "{\"note\":\"n\"}");
    code(400, "invalid_request", "/v1/jobs/j1/items/1/report", "{\"note\":\" \"}");
    code(400, "invalid_request", "/v1/jobs/j1/start", "{}");
    assertEquals(
        "cancelled", post(202, "/v1/jobs/j1/cancel", "{\"reason\":\"r\"}").path("status").asText());
    code(409, "job_closed", "/v1/jobs/j1/cancel", "");
    code(409, "job_closed", "/v1/jobs/j1/items", "{\"items\":[{\"prompt\":\"c\"}]}");
    post(
        202,
        "/v1/jobs",
        "{\"job_id\":\"empty\",\"request\":{\"agent\":\"echo\",\"prompt\":\"hi\"}}");
    code(400, "invalid_request", "/v1/jobs/empty/start", "");
  }

  private void code(int status, String code, String path, String body) {
    assertEquals(code, post(status, path, body).path("code").asText());
  }
}
