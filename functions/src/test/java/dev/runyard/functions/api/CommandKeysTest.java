package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.access.Identity;
import dev.runyard.core.ids.RunKey;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Commands whose answers were lost, so that they come again with their keys.
final class CommandKeysTest {
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void anInterruptWithAKeyEndsOneTurn() {
    String first = turn("a");
    String second = turn("b");
    assertEquals("accepted", outcome("interrupt_turn", "\"thread_id\":\"t-1\"", "k-1"));
    end(first);

    assertEquals("no_op", outcome("interrupt_turn", "\"thread_id\":\"t-1\"", "k-1"));
    assertEquals("created", status(second));
    assertEquals("accepted", outcome("interrupt_turn", "\"thread_id\":\"t-1\"", "k-2"));
    assertEquals("cancelling", status(second));
  }

  @Test
  void anInterruptThatFoundNoTurnEndsNoneLater() {
    end(turn("a"));
    assertEquals("no_op", outcome("interrupt_turn", "\"thread_id\":\"t-1\"", "k-1"));
    String later = turn("b");

    assertEquals("no_op", outcome("interrupt_turn", "\"thread_id\":\"t-1\"", "k-1"));
    assertEquals("created", status(later));
  }

  @Test
  void anInterruptThatClearsWithAKeyRemovesWhatWaitedThen() {
    String first = turn("a");
    String waited = turn("b");
    String clear = "\"thread_id\":\"t-1\",\"queued\":\"clear\"";
    assertEquals("accepted", outcome("interrupt_turn", clear, "k-1"));
    twins.clock.advance(Duration.ofMillis(1));
    String later = turn("c");

    assertEquals("accepted", outcome("interrupt_turn", clear, "k-1"));
    end(first);
    assertEquals("no_op", outcome("interrupt_turn", clear, "k-1"));

    assertNotEquals("created", status(waited));
    assertEquals("created", status(later));
  }

  @Test
  void aKeyIsForOneCommand() {
    turn("a");
    turn("b");
    outcome("interrupt_turn", "\"thread_id\":\"t-1\"", "k-1");

    APIGatewayProxyResponseEvent other =
        command("interrupt_turn", "\"thread_id\":\"t-1\",\"queued\":\"clear\"", "k-1");
    assertEquals("idempotency_mismatch", json(other).path("code").textValue());
    APIGatewayProxyResponseEvent bad = command("interrupt_turn", "\"thread_id\":\"t-1\"", "");
    assertEquals("invalid_request", json(bad).path("code").textValue());
  }

  @Test
  void whatWasRemovedOrPromotedIsSoWhenItIsAskedForAgain() {
    String a = turn("a");
    turn("b");
    turn("c");
    String b = "\"thread_id\":\"t-1\",\"turn_id\":\"b\"";
    String c = "\"thread_id\":\"t-1\",\"turn_id\":\"c\"";
    assertEquals("done", outcome("promote_queued_turn", c, "k-1"));
    assertEquals("done", outcome("remove_queued_turn", b, "k-2"));
    end(a);

    assertEquals("no_op", outcome("promote_queued_turn", c, "k-1"));
    assertEquals("no_op", outcome("remove_queued_turn", b, "k-2"));
    assertEquals(
        "turn_not_queued", json(command("promote_queued_turn", c, "k-3")).path("code").textValue());
    assertEquals(
        "turn_not_queued", json(command("remove_queued_turn", c, "k-4")).path("code").textValue());
  }

  private String turn(String turnId) {
    APIGatewayProxyResponseEvent answer =
        client.call(
            post(
                "/v1/runs",
                "{\"agent\":\"echo\",\"prompt\":\"hi\",\"thread_id\":\"t-1\",\"turn_id\":\""
                    + turnId
                    + "\"}"));
    assertEquals(202, answer.getStatusCode(), answer.getBody());
    return json(answer).path("run_id").textValue();
  }

  private APIGatewayProxyResponseEvent command(String name, String params, String key) {
    APIGatewayProxyRequestEvent request =
        post("/v1/runtime/commands", "{\"command\":\"" + name + "\",\"params\":{" + params + "}}");
    Map<String, String> headers = new HashMap<>(request.getHeaders());
    headers.put("Idempotency-Key", key);
    return client.call(request.withHeaders(headers));
  }

  private String outcome(String name, String params, String key) {
    APIGatewayProxyResponseEvent answer = command(name, params, key);
    assertEquals(200, answer.getStatusCode(), answer.getBody());
    return json(answer).path("outcome").textValue();
  }

  private String status(String run) {
    return json(client.get("/v1/runs/" + run)).path("status").textValue();
  }

  private void end(String run) {
    RunKey key = new RunKey(Identity.TENANT_DEFAULT, run);
    twins.cancel().cancel(key, "test", "somebody");
    twins.advance().advance(key);
  }
}
