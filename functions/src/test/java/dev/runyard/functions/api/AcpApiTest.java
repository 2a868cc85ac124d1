package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.functions.Twins;
import dev.runyard.needs.NeedsStandards;
import dev.runyard.testkit.agentcommunication.AcpSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(NeedsStandards.GROUP)
final class AcpApiTest {
  private static final String NO_ID = "019a0000-0000-7000-8000-000000000009";
  private static final String SESSION = "019a0000-0000-4000-8000-000000000002";
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  private static JsonNode json(String schema, APIGatewayProxyResponseEvent response) {
    JsonNode body = Client.json(response);
    AcpSchemas.check(schema, body);
    return body;
  }

  private RunKey said(String text) {
    RunRequest request =
        new RunRequest(
                "echo",
                text,
                SESSION,
                Map.of(),
                List.of(),
                null,
                60,
                Map.of(),
                Map.of(),
                RetryPolicy.NEVER)
            .with(List.of(Message.text("user", text)));
    RunKey run =
        switch (twins.submit().submit(Twins.BY, request, Optional.empty())) {
          case SubmitRun.Result.Accepted accepted -> accepted.run().facts().run();
          case SubmitRun.Result.Rejected rejected -> throw new AssertionError(rejected);
        };
    twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    twins.report(run, new RunEvent.ProcessStarted("p-1", "echo"));
    twins.report(
        run, MessageEvents.whole(Message.text("agent/echo", text)).toArray(RunEvent[]::new));
    return run;
  }

  @Test
  void answersAPing() {
    APIGatewayProxyResponseEvent response = client.get("/ping");

    assertEquals(200, response.getStatusCode());
    assertEquals("{}", response.getBody());
  }

  @Test
  void listsAndShowsTheAgentsOfTheCatalogue() {
    JsonNode agents = json("AgentsListResponse", client.get("/agents")).path("agents");

    assertEquals(twins.catalog.all().size(), agents.size());
    JsonNode echo = json("AgentManifest", client.get("/agents/echo"));
    assertTrue(StreamSupport.stream(agents.spliterator(), false).anyMatch(echo::equals));
    assertEquals("*/*", echo.at("/input_content_types/0").asText());
    assertTrue(echo.at("/metadata/annotations/extensions/properties").has("backend.echo.events"));
  }

  @Test
  void pagesTheAgents() {
    JsonNode page =
        json("AgentsListResponse", client.get("/agents", Map.of("limit", "1", "offset", "1")));

    assertEquals(1, page.path("agents").size());
    assertEquals(twins.catalog.all().get(1).kind().name(), page.at("/agents/0/name").asText());
  }

  @Test
  void readsARunInEachState() {
    RunKey run = said("hi");
    JsonNode running = json("Run", client.get("/runs/" + run.runId()));
    assertEquals("in-progress", running.path("status").asText());
    assertEquals("agent/echo", running.at("/output/0/role").asText());
    twins.complete(run);
    APIGatewayProxyResponseEvent response = client.get("/runs/" + run.runId());

    JsonNode ended = json("Run", response);
    assertEquals("completed", ended.path("status").asText());
    assertEquals(SESSION, ended.path("session_id").asText());
    assertEquals(run.runId(), response.getHeaders().get("Run-ID"));
  }

  @Test
  void cancelsInTwoSteps() {
    RunKey run = said("hi");
    APIGatewayProxyResponseEvent first =
        client.call(Client.request("POST", "/runs/" + run.runId() + "/cancel"));
    assertEquals(202, first.getStatusCode());
    assertEquals("cancelling", json("Run", first).path("status").asText());
    assertEquals(
        "cancelling", json("Run", client.get("/runs/" + run.runId())).path("status").asText());

    twins.report(
        run,
        new RunEvent.ProcessTerminated("p-1", "cancelled", 0),
        new RunEvent.ProcessCompleted("p-1", null, 15, 5),
        new RunEvent.AttemptCompleted(1, "a-1"));
    twins.advance().advance(run);

    assertEquals(
        "cancelled", json("Run", client.get("/runs/" + run.runId())).path("status").asText());
    APIGatewayProxyResponseEvent late =
        client.call(Client.request("POST", "/runs/" + run.runId() + "/cancel"));
    assertEquals(403, late.getStatusCode());
    assertEquals("server_error", json("Error", late).path("code").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/session/", "/sessions/"})
  void showsASessionWhoseHistoryIsByUrl(String path) {
    RunKey first = said("one");
    twins.project().project(first);
    assertEquals(0, json("Session", client.get(path + SESSION)).path("history").size());
    twins.complete(first);
    twins.project().project(first);
    APIGatewayProxyRequestEvent request =
        Client.request("GET", path + SESSION)
            .withHeaders(Map.of("Host", "api.example.org", "X-Forwarded-Proto", "https"));

    JsonNode session = json("Session", client.call(request));

    assertEquals(SESSION, session.path("id").asText());
    List<String> said = new ArrayList<>();
    for (JsonNode uri : session.path("history")) {
      assertTrue(uri.asText().startsWith("https://api.example.org/resources/"), uri::asText);
      JsonNode message =
          json("Message", client.get(uri.asText().substring("https://api.example.org".length())));
      said.add(message.path("role").asText() + ": " + message.at("/parts/0/content").asText());
    }
    assertEquals(List.of("user: one", "agent/echo: one"), said);
  }

  @Test
  void aSessionHasTheRunWhoseEndWasRead() {
    RunKey run = said("one");
    client.get("/runs/" + run.runId());
    assertTrue(twins.models.snapshot(run).isEmpty(), "reading an open run writes nothing");
    twins.complete(run);
    client.get("/runs/" + run.runId());

    assertEquals(2, json("Session", client.get("/session/" + SESSION)).path("history").size());
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /agents/nobody, 404, not_found",
    "GET, /agents/NoName, 404, not_found",
    "GET, /runs/ID, 404, not_found",
    "GET, /runs/1, 422, invalid_input",
    "POST, /runs/ID/cancel, 404, not_found",
    "POST, /runs/1/cancel, 422, invalid_input",
    "GET, /sessions/ID, 404, not_found",
    "GET, /session/1, 422, invalid_input",
    "GET, /resources/ID.0, 404, not_found",
    "GET, /resources/none, 404, not_found",
    "GET, /runs/ID/nothing, 404, not_found",
    "POST, /ping, 405, server_error",
    "POST, /agents, 405, server_error",
    "GET, /runs/ID/cancel, 405, server_error"
  })
  void refusesInTheProtocolsWords(String method, String path, int status, String code) {
    APIGatewayProxyResponseEvent response =
        client.call(Client.request(method, path.replace("ID", NO_ID)));

    assertEquals(status, response.getStatusCode());
    assertEquals(code, json("Error", response).path("code").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=0", "limit=1001", "limit=x", "offset=-1"})
  void refusesAPageOutOfBounds(String query) {
    String[] pair = query.split("=", -1);

    APIGatewayProxyResponseEvent response = client.get("/agents", Map.of(pair[0], pair[1]));

    assertEquals(422, response.getStatusCode());
    assertEquals("invalid_input", json("Error", response).path("code").asText());
  }

  @Test
  void aStoreThatDoesNotAnswerIsAnErrorOfTheProtocol() {
    twins.log.begin(new PortUnavailable("down"));

    APIGatewayProxyResponseEvent response = client.get("/runs/" + NO_ID);

    assertEquals(503, response.getStatusCode());
    assertEquals("server_error", json("Error", response).path("code").asText());
  }

  @Test
  void saysThatAnAnswerIsTooLargeAndWhereToReadOn() {
    RunKey run = said("\"".repeat(1000));
    for (int i = 0; i < 60; i++) {
      twins.report(
          run,
          MessageEvents.whole(Message.text("agent/echo", "\"".repeat(60_000)))
              .toArray(RunEvent[]::new));
    }

    APIGatewayProxyResponseEvent response = client.get("/runs/" + run.runId());

    assertEquals(413, response.getStatusCode());
    JsonNode error = json("Error", response);
    assertEquals("server_error", error.path("code").asText());
    assertEquals("response_too_large", error.at("/data/code").asText());
  }
}
