package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.needs.NeedsStandards;
import dev.runyard.testkit.agentcommunication.AcpSchemas;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(NeedsStandards.GROUP)
final class AcpTest {
  private final AcpRig rig = new AcpRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void asyncIsAnsweredAtOnceWithTheRunAsCreated() throws Exception {
    HttpResponse<String> response = rig.posted("/runs", AcpRig.create("async")).get();

    assertEquals(202, response.statusCode());
    JsonNode run = AcpRig.json("Run", response);
    assertEquals("created", run.path("status").asText());
    assertEquals(
        run.path("run_id").asText(), response.headers().firstValue("Run-ID").orElseThrow());
    assertEquals(rig.stream.twins.queue.runs().getFirst().runId(), run.path("run_id").asText());
  }

  @Test
  void syncIsAnsweredOnceTheRunHasEnded() throws Exception {
    CompletableFuture<HttpResponse<String>> response = rig.posted("/runs", AcpRig.create("sync"));
    rig.stream.ticks.awaitPaused(1);
    RunKey run = rig.claimed();
    rig.says(run, "hi");
    assertFalse(response.isDone());
    rig.stream.twins.complete(run);
    rig.stream.ticks.tick();

    assertEquals(200, response.get().statusCode());
    JsonNode body = AcpRig.json("Run", response.get());
    assertEquals("completed", body.path("status").asText());
    assertEquals("hi", body.at("/output/0/parts/0/content").asText());
    assertEquals(run.runId(), response.get().headers().firstValue("Run-ID").orElseThrow());
  }

  @Test
  void aSessionHasTheRunWhoseEndItsClientSaw() throws Exception {
    String session = "019a0000-0000-7000-8000-000000000002";
    CompletableFuture<HttpResponse<String>> response =
        rig.posted("/runs", AcpRig.in("{\"session_id\":\"%s\"}".formatted(session)));
    rig.stream.ticks.awaitPaused(1);
    RunKey run = rig.claimed();
    rig.says(run, "hi");
    rig.stream.twins.complete(run);
    rig.stream.ticks.tick();

    assertEquals("completed", AcpRig.json("Run", response.get()).path("status").asText());
    SessionHistory history = new SessionHistory(rig.stream.twins.models, rig.stream.twins.log);
    assertEquals(2, history.of(Identity.TENANT_DEFAULT, session).orElseThrow().size());
    String url = "http://127.0.0.1/resources/" + run.runId() + ".0";
    String more =
        "{\"mode\":\"async\",\"session\":{\"id\":\"%s\",\"history\":[\"%s\"]}}"
            .formatted(session, url);
    assertEquals(202, rig.posted("/runs", AcpRig.in(more)).get().statusCode());
  }

  @Test
  void refusesHistoryOfRunsItDoesNotHave() throws Exception {
    String url = "http://127.0.0.1/resources/" + AcpRig.NO_RUN + ".0";
    String body =
        "{\"session\":{\"id\":\"%s\",\"history\":[\"%s\"]}}".formatted(AcpRig.NO_RUN, url);

    HttpResponse<String> response = rig.posted("/runs", AcpRig.in(body)).get();

    assertEquals(422, response.statusCode());
    assertEquals("invalid_input", AcpRig.json("Error", response).path("code").asText());
    assertEquals(List.of(), rig.stream.twins.queue.runs());
  }

  @Test
  void syncKeepsTheConnectionAliveAndAnswersAfterItsTimeWithTheRunAsItStands() throws Exception {
    CompletableFuture<HttpResponse<InputStream>> later =
        rig.stream
            .client()
            .sendAsync(rig.post("/runs", AcpRig.create("sync")), BodyHandlers.ofInputStream());
    rig.stream.ticks.awaitPaused(1);
    rig.claimed();
    rig.stream.ticks.runFree(() -> rig.stream.twins.clock.advance(Duration.ofSeconds(5)));
    HttpResponse<InputStream> response = later.get();
    String body = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals(200, response.statusCode());
    int spaces = body.indexOf('{');
    assertTrue(
        spaces >= SseStream.STREAM_SECONDS_MAX / (2 * AcpFollow.KEEP_ALIVE_SECONDS),
        () -> "only " + spaces + " spaces");
    JsonNode run = JsonFormat.JSON.readTree(body);
    AcpSchemas.check("Run", run);
    assertEquals("in-progress", run.path("status").asText());
  }

  @Test
  void aFailedRunIsNoFailedRequest() throws Exception {
    CompletableFuture<HttpResponse<String>> response = rig.posted("/runs", AcpRig.create("sync"));
    rig.stream.ticks.awaitPaused(1);
    RunKey run = rig.claimed();
    rig.stream.twins.report(
        run,
        new RunEvent.ProcessCompleted("p-1", 1, null, 5),
        new RunEvent.AttemptFailed(
            1, "a-1", Failure.backend("invalid_input", "Wrong question buddy!")));
    rig.stream.twins.advance().advance(run);
    rig.stream.ticks.tick();

    assertEquals(200, response.get().statusCode());
    JsonNode body = AcpRig.json("Run", response.get());
    assertEquals("failed", body.path("status").asText());
    assertEquals("invalid_input", body.at("/error/code").asText());
    assertEquals("Wrong question buddy!", body.at("/error/message").asText());
  }

  @Test
  void streamsEventsThatTheListRepeatsExactly() throws Exception {
    CompletableFuture<HttpResponse<String>> response = rig.posted("/runs", AcpRig.create("stream"));
    rig.stream.ticks.awaitPaused(1);
    RunKey run = rig.claimed();
    rig.says(run, "hi");
    rig.stream.twins.complete(run);
    rig.stream.ticks.tick();

    assertEquals(200, response.get().statusCode());
    assertEquals(
        "text/event-stream", response.get().headers().firstValue("Content-Type").orElseThrow());
    List<JsonNode> streamed = AcpRig.events(response.get().body());
    assertEquals(
        List.of(
            "run.created",
            "run.in-progress",
            "message.created",
            "message.part",
            "message.completed",
            "run.completed"),
        AcpRig.types(streamed));
    HttpResponse<String> listed = rig.stream.get("/runs/" + run.runId() + "/events");
    List<JsonNode> list = new ArrayList<>();
    AcpRig.json("RunEventsListResponse", listed).path("events").forEach(list::add);
    assertEquals(streamed, list);
    assertFalse(listed.body().contains("null"));
  }

  @Test
  void aStreamIsKeptAliveByComments() throws Exception {
    CompletableFuture<HttpResponse<String>> response = rig.posted("/runs", AcpRig.create("stream"));
    rig.stream.ticks.awaitPaused(1);
    rig.stream.twins.clock.advance(Duration.ofSeconds(AcpFollow.KEEP_ALIVE_SECONDS));
    rig.stream.ticks.tick();
    rig.stream.ticks.awaitPaused(1);
    rig.stream.twins.complete(rig.claimed());
    rig.stream.ticks.tick();

    assertTrue(response.get().body().contains("\n\n:\n\n"));
    assertEquals(
        List.of("run.created", "run.in-progress", "run.completed"),
        AcpRig.types(AcpRig.events(response.get().body())));
  }

  @Test
  void aClientThatLeavesDoesNotCancelItsRun() throws Exception {
    HttpResponse<InputStream> response =
        rig.stream
            .client()
            .send(rig.post("/runs", AcpRig.create("stream")), BodyHandlers.ofInputStream());
    rig.stream.ticks.awaitPaused(1);
    RunKey run = rig.claimed();
    response.body().close();
    rig.stream.ticks.runFree(() -> rig.says(run, "more"));
    rig.stream.twins.awaitLogged("client_gone");

    assertEquals(
        "in-progress", ((RunState.Existing) rig.stream.twins.runs().load(run)).status().wire());
  }

  @Test
  void theSameKeyIsTheSameRun() throws Exception {
    HttpRequest request =
        rig.stream
            .request("/runs")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "k-1")
            .POST(HttpRequest.BodyPublishers.ofString(AcpRig.create("async")))
            .build();

    HttpResponse<String> first = rig.stream.client().send(request, BodyHandlers.ofString());
    rig.claimed();
    HttpResponse<String> second = rig.stream.client().send(request, BodyHandlers.ofString());

    assertEquals(first.body(), second.body());
    assertEquals(202, second.statusCode());
  }

  @Test
  void aStreamThatBreaksOffSaysSo() throws Exception {
    CompletableFuture<HttpResponse<String>> response = rig.posted("/runs", AcpRig.create("stream"));
    rig.stream.ticks.awaitPaused(1);
    rig.stream.twins.log.begin(new IllegalStateException("broken log"));
    rig.stream.ticks.tick();

    List<JsonNode> events = AcpRig.events(response.get().body());
    assertEquals(List.of("run.created", "error"), AcpRig.types(events));
    assertEquals("server_error", events.getLast().at("/error/code").asText());
  }
}
