package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static dev.runyard.functions.api.Client.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentCard;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.functions.Twins;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Messages to agents, and decisions on their actions.
final class TalkTest {
  private static final String HELLO = "{\"content\":\"hello\"}";
  private final Twins twins = new Twins();
  private final Client client = new Client(twins, listening());

  @Test
  void acceptsAMessage() {
    RunKey run = twins.running();

    APIGatewayProxyResponseEvent response = send(run, HELLO, "k-1");

    assertEquals(202, response.getStatusCode());
    assertEquals(6, json(response).path("sequence").intValue());
    assertEquals(json(response), json(send(run, HELLO, "k-1")));
    assertEquals("idempotency_mismatch", code(send(run, "{\"content\":\"bye\"}", "k-1")));
    assertEquals(7, json(send(run, HELLO, "k-2")).path("sequence").intValue());
  }

  @Test
  void saysWhenOnlyAnInteractiveRunTakesMessages() {
    RunKey run = twins.running();
    AgentManifest sometimes =
        new AgentManifest(
            AgentCatalog.ECHO,
            "Sometimes listening",
            "Takes messages where somebody may be asked.",
            new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS)),
            List.of(),
            List.of(),
            AgentCard.ANYTHING,
            new TreeSet<>(List.of(Capabilities.MESSAGE)));

    APIGatewayProxyResponseEvent response =
        new Client(twins, new AgentCatalog(List.of(sometimes)))
            .call(post("/v1/runs/" + run.runId() + "/messages", HELLO));

    assertEquals("unsupported_capability", code(response));
    assertEquals(
        "unsupported capability for echo: agent_api.control.message.v1 while"
            + " agent_api.exec.non_interactive is true."
            + " GET /v1/agents/{kind} lists what an agent supports.",
        json(response).path("detail").textValue());
  }

  @Test
  void storesNothingForAnAgentThatTakesNoMessages() {
    RunKey run = twins.running();

    APIGatewayProxyResponseEvent response =
        new Client(twins).call(post("/v1/runs/" + run.runId() + "/messages", HELLO));

    assertEquals("unsupported_capability", code(response));
    assertEquals(
        "unsupported capability for echo: agent_api.control.message.v1."
            + " GET /v1/agents/{kind} lists what an agent supports.",
        json(response).path("detail").textValue());
    assertEquals(5, twins.runs().load(run).sequence());
  }

  @Test
  void refusesAMessageToARunThatHasEnded() {
    RunKey run = twins.running();
    twins.complete(run);

    assertEquals(409, send(run, HELLO, "k").getStatusCode());
    assertEquals("run_closed", code(send(run, HELLO, "k")));
  }

  @Test
  void refusesABodyThatIsNoMessage() {
    RunKey run = twins.running();

    for (String body :
        List.of("{}", "{\"content\":\" \"}", "{\"content\":1}", "{\"text\":\"a\"}")) {
      assertEquals("invalid_request", code(send(run, body, "k")), body);
    }
  }

  @Test
  void showsWhatARunAsksAndTakesTheFirstDecision() {
    RunKey run = twins.running();
    String action = ask(run, ActionType.QUESTION);

    JsonNode shown = json(client.get("/v1/runs/" + run.runId()));
    assertEquals("awaiting", shown.path("status").textValue());
    assertEquals("waiting_input", shown.path("phase").textValue());
    assertEquals(action, shown.at("/await_request/action_id").textValue());
    JsonNode listed = json(client.get("/v1/runs/" + run.runId() + "/actions"));
    assertEquals(shown.path("await_request"), listed.at("/actions/0"));

    APIGatewayProxyResponseEvent first =
        decide(action, "{\"decision\":\"answer\",\"payload\":{\"a\":1}}");
    APIGatewayProxyResponseEvent second = decide(action, "{\"decision\":\"deny\"}");

    assertEquals(200, first.getStatusCode());
    assertEquals("answer", json(first).path("decision").textValue());
    assertEquals(1, json(first).at("/answer/a").intValue());
    assertEquals("client", json(first).path("decided_by").textValue());
    assertEquals(409, second.getStatusCode());
    assertEquals("action_decided", code(second));
  }

  @Test
  void refusesADecisionThatDoesNotFit() {
    RunKey run = twins.running();
    String action = ask(run, ActionType.PERMISSION);

    assertEquals("invalid_request", code(decide(action, "{\"decision\":\"answer\"}")));
    assertEquals("invalid_request", code(decide(action, "{\"decision\":\"timed_out\"}")));
    assertEquals("invalid_request", code(decide(action, "{}")));
    twins.clock.advance(Duration.ofDays(2));
    assertEquals("action_decided", code(decide(action, "{\"decision\":\"approve\"}")));
  }

  @Test
  void refusesAnAnswerBesidesTheChoicesAndWaitsForAnother() {
    RunKey run = twins.running();
    String action = ActionId.of(run, 1);
    Question question =
        new Question(
            action, ActionType.QUESTION, "Which?", null, List.of("left", "right"), 0, null);
    twins.report(run, question.asked(twins.clock.instant()));

    APIGatewayProxyResponseEvent wrong =
        decide(action, "{\"decision\":\"answer\",\"payload\":\"up\"}");

    assertEquals(400, wrong.getStatusCode());
    assertEquals("invalid_request", code(wrong));
    assertEquals("/payload", json(wrong).at("/errors/0/pointer").textValue());
    assertEquals("awaiting", json(client.get("/v1/runs/" + run.runId())).path("status").asText());
    assertEquals(
        200, decide(action, "{\"decision\":\"answer\",\"payload\":\"left\"}").getStatusCode());
  }

  @Test
  void findsNoActionWhereThereIsNone() {
    RunKey run = twins.running();
    String approve = "{\"decision\":\"approve\"}";

    assertEquals("action_not_found", code(decide("nonsense", approve)));
    assertEquals("action_not_found", code(decide(ActionId.of(run, 1), approve)));
    assertEquals(
        "action_not_found", code(decide("019c0000-0000-7000-8000-000000000000.1", approve)));
    assertEquals(405, client.get("/v1/actions/" + ActionId.of(run, 1)).getStatusCode());
    assertEquals(
        405, client.call(request("POST", "/v1/runs/" + run.runId() + "/actions")).getStatusCode());
  }

  @Test
  void listsRunsThatWaitForAPerson() {
    RunKey run = twins.running();
    ask(run, ActionType.QUESTION);
    twins.project().project(run);

    JsonNode page = json(client.get("/v1/runs", Map.of("status", "awaiting")));

    assertEquals(run.runId(), page.at("/runs/0/run_id").textValue());
    assertEquals(
        0, json(client.get("/v1/runs", Map.of("status", "in-progress"))).at("/runs").size());
  }

  @Test
  void describesEveryMemberOfAnActionInItsOrder() throws Exception {
    RunKey run = twins.running();
    ask(run, ActionType.QUESTION);
    List<String> known = new ArrayList<>();
    json(client.get("/v1/runs/" + run.runId() + "/actions"))
        .at("/actions/0")
        .fieldNames()
        .forEachRemaining(known::add);
    List<String> written =
        Files.readString(Path.of("..", "docs", "http.md"))
            .lines()
            .dropWhile(line -> !line.equals("## Actions"))
            .dropWhile(line -> !line.startsWith("|"))
            .takeWhile(line -> line.startsWith("|"))
            .skip(2)
            .map(line -> Arrays.asList(line.split("`", -1)).get(1))
            .toList();

    assertEquals(known, written);
    assertTrue(known.contains("action_id"));
  }

  private String ask(RunKey run, ActionType type) {
    String action = ActionId.of(run, 1);
    twins.report(run, Question.of(action, type, "Which?").asked(twins.clock.instant()));
    return action;
  }

  private APIGatewayProxyResponseEvent send(RunKey run, String body, String key) {
    return client.call(
        request("POST", "/v1/runs/" + run.runId() + "/messages")
            .withHeaders(Map.of("Content-Type", "application/json", "Idempotency-Key", key))
            .withBody(body));
  }

  private APIGatewayProxyResponseEvent decide(String action, String body) {
    return client.call(post("/v1/actions/" + action, body));
  }

  private static String code(APIGatewayProxyResponseEvent response) {
    return json(response).path("code").textValue();
  }

  private static AgentCatalog listening() {
    return new AgentCatalog(
        List.of(
            new AgentManifest(
                AgentCatalog.ECHO,
                "Listening",
                "Takes messages.",
                new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS, Capabilities.MESSAGE)),
                List.of(),
                List.of())));
  }
}
