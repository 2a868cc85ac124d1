package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sessions and threads in the form of the standard's strict profile. The client holds them against
/// the standard's own schema where that is at hand.
final class LimeTest {
  private static final List<String> REQUIRED =
      List.of(
          "schemaVersion",
          "runtimeId",
          "sessionId",
          "updatedAt",
          "threads",
          "tasks",
          "taskSummary",
          "routingLimitSummary",
          "telemetrySummary",
          "evidenceRefs");
  private static final List<String> OF_A_THREAD =
      List.of(
          "threadId",
          "status",
          "turns",
          "pendingRequests",
          "queuedTurns",
          "incidents",
          "evidenceSummary");

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void aSessionIsShownInTheFormOfTheStrictProfile() {
    RunKey failed = failed();
    twins.clock.advance(Duration.ofSeconds(1));
    RunKey asking = twins.running();
    String action = ActionId.of(asking, 1);
    twins.report(
        asking, Question.of(action, ActionType.QUESTION, "Which?").asked(twins.clock.instant()));
    twins.clock.advance(Duration.ofSeconds(1));
    RunKey waiting = twins.submitted();
    List.of(failed, asking, waiting).forEach(twins.project()::project);

    JsonNode session = lime("/v1/sessions/s-1");
    for (String member : REQUIRED) {
      assertTrue(session.has(member), member);
    }
    assertEquals("lime-profile-0.4.0", session.path("schemaVersion").textValue());
    assertEquals(3, session.at("/taskSummary/total").intValue());
    assertEquals(1, session.at("/taskSummary/byStatus/waiting_input").intValue());
    JsonNode thread = session.at("/threads/0");
    for (String member : OF_A_THREAD) {
      assertTrue(thread.has(member), member);
    }
    assertEquals("blocked", thread.path("status").textValue());
    assertEquals("turn-" + asking.runId(), thread.path("activeTurnId").textValue());
    assertEquals(action, thread.at("/pendingRequests/0/actionId").textValue());
    assertEquals(waiting.runId(), thread.at("/queuedTurns/0/runId").textValue());
    assertEquals("broken", thread.at("/incidents/0/code").textValue());
    assertEquals(
        List.of("queued", "waiting_input", "failed"), texts(session.path("tasks"), "status"));
    assertEquals("failed", session.at("/tasks/2/attempts/0/status").textValue());
    assertEquals(session.path("threads"), lime("/v1/threads/thread-s-1").path("threads"));
    assertEquals(
        session,
        json(command("get_session", "\"session_id\":\"s-1\",\"view\":\"lime\"")).path("result"));
  }

  @Test
  void goesThroughItsHistoryInPages() {
    List.of(twins.submitted(), twins.submitted()).forEach(twins.project()::project);
    JsonNode first = json(client.get("/v1/sessions/s-1", Map.of("view", "lime", "limit", "1")));
    JsonNode second =
        json(
            client.get(
                "/v1/sessions/s-1",
                Map.of(
                    "view",
                    "lime",
                    "limit",
                    "1",
                    "cursor",
                    first.at("/historySummary/nextCursor").textValue())));

    assertEquals(1, second.path("tasks").size());
    assertTrue(second.at("/historySummary/nextCursor").isMissingNode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"hub", "acp", "LIME", ""})
  void refusesViewsThatItDoesNotHave(String view) {
    twins.submitted();

    assertEquals(400, client.get("/v1/sessions/s-1", Map.of("view", view)).getStatusCode());
    assertEquals(400, client.get("/v1/threads/thread-s-1", Map.of("view", view)).getStatusCode());
    APIGatewayProxyResponseEvent refused =
        command("get_session", "\"session_id\":\"s-1\",\"view\":\"" + view + "\"");
    assertEquals(400, refused.getStatusCode());
    assertEquals("/params/view", json(refused).at("/errors/0/pointer").textValue());
  }

  private RunKey failed() {
    RunKey run = twins.running();
    twins.report(
        run,
        new RunEvent.ProcessCompleted("p-1", 1, null, 5),
        new RunEvent.AttemptFailed(1, "a-1", new Failure("broken", Category.BACKEND, "It broke.")));
    twins.advance().advance(run);
    return run;
  }

  private JsonNode lime(String path) {
    APIGatewayProxyResponseEvent answer = client.get(path, Map.of("view", "lime"));
    assertEquals(200, answer.getStatusCode(), answer.getBody());
    return json(answer);
  }

  private APIGatewayProxyResponseEvent command(String name, String params) {
    return client.call(
        post("/v1/runtime/commands", "{\"command\":\"" + name + "\",\"params\":{" + params + "}}"));
  }

  private static List<String> texts(JsonNode list, String member) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(item -> item.path(member).textValue())
        .toList();
  }
}
