package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.functions.Twins;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ChunksTest {
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void showsTheLinksAndWhatTheReadModelKept() {
    RunKey run = twins.running();
    twins.project().project(run);
    List<Chunk> chunks = twins.log.chunksAfter(run, 0);

    JsonNode page = page(run, "0");

    assertEquals(chunks.size(), page.path("chunks").size());
    String before = "";
    for (int i = 0; i < chunks.size(); i++) {
      JsonNode link = page.path("chunks").path(i);
      assertEquals(chunks.get(i).first(), link.path("first").asLong());
      assertEquals(chunks.get(i).last(), link.path("last").asLong());
      assertEquals(before, link.path("previous").asText("").replace("null", ""));
      before = link.path("hash").textValue();
      assertEquals(chunks.get(i).hash().toString(), before);
    }
    assertEquals(before, page.at("/read_model/hash").textValue());
    assertEquals(5, page.at("/read_model/sequence").asInt());
    assertEquals(5, page.path("next_after").asInt());
    assertFalse(page.path("more").asBoolean());
    assertFalse(page.toString().contains("s3cret") || page.toString().contains("\"hi\""));
  }

  @Test
  void showsALongLogInPages() {
    RunKey run = twins.running();
    for (int i = 0; i < EventLog.READ_CHUNKS_MAX; i++) {
      twins.report(run, new RunEvent.ModelDelta("x"));
    }

    JsonNode first = page(run, "0");
    JsonNode second = page(run, first.path("next_after").asText());

    assertTrue(first.path("more").asBoolean());
    assertEquals(EventLog.READ_CHUNKS_MAX, first.path("chunks").size());
    assertEquals(
        first.path("chunks").path(EventLog.READ_CHUNKS_MAX - 1).path("hash"),
        second.path("chunks").path(0).path("previous"));
  }

  @Test
  void refusesOtherRunsAndParameters() {
    assertEquals(
        404,
        client
            .get("/v1/runs/019c0000-0000-7000-8000-000000000000/chunks", Map.of())
            .getStatusCode());
    String mine = "/v1/runs/" + twins.submitted().runId() + "/chunks";
    assertEquals(400, client.get(mine, Map.of("after", "-1")).getStatusCode());
    assertEquals(400, client.get(mine, Map.of("limit", "1")).getStatusCode());
    assertEquals(Identity.TENANT_DEFAULT, twins.submitted().tenant());
  }

  private JsonNode page(RunKey run, String after) {
    APIGatewayProxyResponseEvent answer =
        client.get("/v1/runs/" + run.runId() + "/chunks", Map.of("after", after));
    assertEquals(200, answer.getStatusCode(), answer.getBody());
    return Client.json(answer);
  }
}
