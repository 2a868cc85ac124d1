package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.access.Identity;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.ids.RunKey;
import dev.runyard.functions.Twins;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutputsTest {
  private static final int LAMBDA_ANSWER_BYTES_MAX = 6 * 1024 * 1024;
  private static final int ESCAPED_CHARS = 6;

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void answersWithTheTextAndNothingElse() {
    String run = client.submit();
    put(Identity.TENANT_DEFAULT, run, "<b>größe</b>\n");

    APIGatewayProxyResponseEvent answer = client.get("/v1/runs/" + run + "/outputs/out1-a");

    assertEquals(200, answer.getStatusCode());
    assertEquals("<b>größe</b>\n", answer.getBody());
    assertEquals("text/plain; charset=utf-8", answer.getHeaders().get("Content-Type"));
    assertEquals("nosniff", answer.getHeaders().get("X-Content-Type-Options"));
    assertEquals("no-store", answer.getHeaders().get("Cache-Control"));
  }

  @Test
  void showsNoOutputOfAnotherRunOrTenant() {
    String run = client.submit();
    put(Identity.TENANT_DEFAULT, run, "mine");
    put("other", run, "theirs");

    refused("/v1/runs/" + client.submit() + "/outputs/out1-a");
    assertEquals("mine", client.get("/v1/runs/" + run + "/outputs/out1-a").getBody());
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "..", ".", "a.b", "%2e%2e", "a b", "", "ä"})
  void knowsNoOtherIds(String id) {
    String run = client.submit();
    twins.artifacts.put(
        Identity.TENANT_DEFAULT + "/sessions/codex/session/s-1.json", new byte[] {1});

    refused("/v1/runs/" + run + "/outputs/" + id);
    refused("/v1/runs/not-a-run/outputs/out1-a");
  }

  @Test
  void refusesWhatIsNoRead() {
    String run = client.submit();
    assertEquals(
        405, client.call(Client.post("/v1/runs/" + run + "/outputs/out1-a", "")).getStatusCode());
    assertEquals(404, client.get("/v1/runs/" + run + "/inputs/out1-a").getStatusCode());
    assertEquals(
        400, client.get("/v1/runs/" + run + "/outputs/out1-a", Map.of("raw", "1")).getStatusCode());
  }

  @Test
  void fitsAnAnswerHoweverMuchOfItIsEscaped() {
    String run = client.submit();
    put(Identity.TENANT_DEFAULT, run, "\u0001".repeat(StoredOutput.OUTPUT_BYTES_MAX));

    assertEquals(200, client.get("/v1/runs/" + run + "/outputs/out1-a").getStatusCode());
    assertTrue(StoredOutput.OUTPUT_BYTES_MAX * ESCAPED_CHARS < LAMBDA_ANSWER_BYTES_MAX);
  }

  private void refused(String path) {
    APIGatewayProxyResponseEvent answer = client.get(path);
    assertEquals(404, answer.getStatusCode(), path);
    assertEquals("output_not_found", Client.json(answer).path("code").textValue(), path);
  }

  private void put(String tenant, String run, String text) {
    twins.artifacts.put(
        new StoredOutput(new RunKey(tenant, run), "out1-a").key(),
        text.getBytes(StandardCharsets.UTF_8));
  }
}
