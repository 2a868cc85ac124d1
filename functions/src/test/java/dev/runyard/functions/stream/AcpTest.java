package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.action.ActionId;
import dev.runyard.core.action.ActionType;
import dev.runyard.core.action.Question;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessageEvents;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.AcpSchemas;
import java.io.IOException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcpTest {
  private static final String NO_RUN = "019a0000-0000-7000-8000-000000000009";
  private static final String MESSAGE =
      "{\"role\":\"user\",\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"hi\"}]}";
  private final StreamRig rig = new StreamRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  private static String create(String mode) {
    return "{\"agent_name\":\"echo\",\"input\":[%s],\"mode\":\"%s\"}".formatted(MESSAGE, mode);
  }

  private static String resume(String mode) {
    return "{\"await_resume\":{\"type\":\"message\",\"message\":%s},\"mode\":\"%s\"}"
        .formatted(MESSAGE, mode);
  }

  private HttpRequest post(String path, String body) {
    return rig.request(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private CompletableFuture<HttpResponse<String>> posted(String path, String body) {
    return rig.client().sendAsync(post(path, body), BodyHandlers.ofString());
  }

  private static JsonNode json(String schema, HttpResponse<String> response) throws IOException {
    JsonNode body = EventCodec.JSON.readTree(response.body());
    AcpSchemas.check(schema, body);
    return body;
  }

  /// The run in the queue, claimed by a runner whose agent has begun.
  private RunKey claimed() {
    RunKey run = rig.twins.queue.runs().getFirst();
    rig.twins
        .runs()
        .execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", rig.twins.clock.instant()));
    rig.twins.report(run, new RunEvent.ProcessStarted("p-1", "echo"));
    return run;
  }

  private void says(RunKey run, String text) {
    rig.twins.report(
        run, MessageEvents.whole(Message.text("agent/echo", text)).toArray(RunEvent[]::new));
  }

  private void asks(RunKey run) {
    rig.twins.report(
        run,
        Question.of(ActionId.of(run, 1), ActionType.MESSAGE, "").asked(rig.twins.clock.instant()),
        new RunEvent.TaskWaiting(ActionId.of(run, 1), "waiting_input"));
  }

  private RunKey awaiting() throws Exception {
    json("Run", posted("/runs", create("async")).get());
    RunKey run = claimed();
    asks(run);
    return run;
  }

  /// The events of a stream, past comments.
  private static List<JsonNode> events(String stream) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String frame : stream.split("\n\n", -1)) {
      if (frame.startsWith("data: ")) {
        JsonNode event = EventCodec.JSON.readTree(frame.substring(6));
        AcpSchemas.check("Event", event);
        events.add(event);
      } else {
        assertTrue(frame.isEmpty() || frame.equals(":"), frame);
      }
    }
    return events;
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asText()).toList();
  }

  @Test
  void asyncIsAnsweredAtOnceWithTheRunAsCreated() throws Exception {
    HttpResponse<String> response = posted("/runs", create("async")).get();

    assertEquals(202, response.statusCode());
    JsonNode run = json("Run", response);
    assertEquals("created", run.path("status").asText());
    assertEquals(
        run.path("run_id").asText(), response.headers().firstValue("Run-ID").orElseThrow());
    assertEquals(rig.twins.queue.runs().getFirst().runId(), run.path("run_id").asText());
  }

  @Test
  void syncIsAnsweredOnceTheRunHasEnded() throws Exception {
    CompletableFuture<HttpResponse<String>> response = posted("/runs", create("sync"));
    rig.ticks.awaitPaused(1);
    RunKey run = claimed();
    says(run, "hi");
    assertFalse(response.isDone());
    rig.twins.complete(run);
    rig.ticks.tick();

    assertEquals(200, response.get().statusCode());
    JsonNode body = json("Run", response.get());
    assertEquals("completed", body.path("status").asText());
    assertEquals("hi", body.at("/output/0/parts/0/content").asText());
    assertEquals(run.runId(), response.get().headers().firstValue("Run-ID").orElseThrow());
  }

  @Test
  void syncKeepsTheConnectionAliveAndAnswersAfterItsTimeWithTheRunAsItStands() throws Exception {
    CompletableFuture<HttpResponse<InputStream>> later =
        rig.client().sendAsync(post("/runs", create("sync")), BodyHandlers.ofInputStream());
    rig.ticks.awaitPaused(1);
    claimed();
    rig.ticks.runFree(() -> rig.twins.clock.advance(Duration.ofSeconds(5)));
    HttpResponse<InputStream> response = later.get();
    String body = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);

    assertEquals(200, response.statusCode());
    int spaces = body.indexOf('{');
    assertTrue(
        spaces >= SseStream.STREAM_SECONDS_MAX / (2 * AcpFollow.KEEP_ALIVE_SECONDS),
        () -> "only " + spaces + " spaces");
    JsonNode run = EventCodec.JSON.readTree(body);
    AcpSchemas.check("Run", run);
    assertEquals("in-progress", run.path("status").asText());
  }

  @Test
  void aFailedRunIsNoFailedRequest() throws Exception {
    CompletableFuture<HttpResponse<String>> response = posted("/runs", create("sync"));
    rig.ticks.awaitPaused(1);
    RunKey run = claimed();
    rig.twins.report(
        run,
        new RunEvent.ProcessCompleted("p-1", 1, null, 5),
        new RunEvent.AttemptFailed(
            1, "a-1", Failure.backend("invalid_input", "Wrong question buddy!")));
    rig.twins.drive().drive(run);
    rig.ticks.tick();

    assertEquals(200, response.get().statusCode());
    JsonNode body = json("Run", response.get());
    assertEquals("failed", body.path("status").asText());
    assertEquals("invalid_input", body.at("/error/code").asText());
    assertEquals("Wrong question buddy!", body.at("/error/message").asText());
  }

  @Test
  void streamsEventsThatTheListRepeatsExactly() throws Exception {
    CompletableFuture<HttpResponse<String>> response = posted("/runs", create("stream"));
    rig.ticks.awaitPaused(1);
    RunKey run = claimed();
    says(run, "hi");
    rig.twins.complete(run);
    rig.ticks.tick();

    assertEquals(200, response.get().statusCode());
    assertEquals(
        "text/event-stream", response.get().headers().firstValue("Content-Type").orElseThrow());
    List<JsonNode> streamed = events(response.get().body());
    assertEquals(
        List.of(
            "run.created",
            "run.in-progress",
            "message.created",
            "message.part",
            "message.completed",
            "run.completed"),
        types(streamed));
    HttpResponse<String> listed = rig.get("/runs/" + run.runId() + "/events");
    List<JsonNode> list = new ArrayList<>();
    json("RunEventsListResponse", listed).path("events").forEach(list::add);
    assertEquals(streamed, list);
    assertFalse(listed.body().contains("null"));
  }

  @Test
  void aStreamIsKeptAliveByComments() throws Exception {
    CompletableFuture<HttpResponse<String>> response = posted("/runs", create("stream"));
    rig.ticks.awaitPaused(1);
    rig.twins.clock.advance(Duration.ofSeconds(AcpFollow.KEEP_ALIVE_SECONDS));
    rig.ticks.tick();
    rig.ticks.awaitPaused(1);
    rig.twins.complete(claimed());
    rig.ticks.tick();

    assertTrue(response.get().body().contains("\n\n:\n\n"));
    assertEquals(
        List.of("run.created", "run.in-progress", "run.completed"),
        types(events(response.get().body())));
  }

  @Test
  void endsAStreamAndASyncCallWhereTheRunAwaits() throws Exception {
    CompletableFuture<HttpResponse<String>> streamed = posted("/runs", create("stream"));
    rig.ticks.awaitPaused(1);
    RunKey run = claimed();
    asks(run);
    rig.ticks.tick();
    List<JsonNode> events = events(streamed.get().body());
    assertEquals("run.awaiting", types(events).getLast());
    assertEquals("message", events.getLast().at("/run/await_request/type").asText());

    HttpResponse<String> response = posted("/runs/" + run.runId(), resume("async")).get();

    assertEquals(202, response.statusCode());
    assertEquals("in-progress", json("Run", response).path("status").asText());
    assertTrue(rig.get(StreamRig.events(run, "")).body().contains("\"content\":\"hi\""));
  }

  @Test
  void aResumedStreamBeginsWithTheNextEvent() throws Exception {
    RunKey run = awaiting();
    CompletableFuture<HttpResponse<String>> response =
        posted("/runs/" + run.runId(), resume("stream"));
    rig.ticks.awaitPaused(1);
    says(run, "bye");
    rig.twins.complete(run);
    rig.ticks.tick();

    assertEquals(200, response.get().statusCode());
    assertEquals(
        List.of(
            "run.in-progress",
            "message.created",
            "message.part",
            "message.completed",
            "run.completed"),
        types(events(response.get().body())));
    assertEquals(run.runId(), response.get().headers().firstValue("Run-ID").orElseThrow());
  }

  @Test
  void aResumedSyncCallAnswersWithTheEndedRun() throws Exception {
    RunKey run = awaiting();
    CompletableFuture<HttpResponse<String>> response =
        posted("/runs/" + run.runId(), resume("sync"));
    rig.ticks.awaitPaused(1);
    rig.twins.complete(run);
    rig.ticks.tick();

    assertEquals("completed", json("Run", response.get()).path("status").asText());
  }

  @Test
  void refusesToResumeWhatDoesNotAwait() throws Exception {
    RunKey run = awaiting();
    assertEquals(202, posted("/runs/" + run.runId(), resume("async")).get().statusCode());

    HttpResponse<String> again = posted("/runs/" + run.runId(), resume("async")).get();

    assertEquals(403, again.statusCode());
    assertEquals("server_error", json("Error", again).path("code").asText());
    HttpResponse<String> other =
        posted("/runs/" + run.runId(), "{\"await_resume\":{\"type\":\"other\"},\"mode\":\"sync\"}")
            .get();
    assertEquals(403, other.statusCode());
  }

  @Test
  void aClientThatLeavesDoesNotCancelItsRun() throws Exception {
    HttpResponse<InputStream> response =
        rig.client().send(post("/runs", create("stream")), BodyHandlers.ofInputStream());
    rig.ticks.awaitPaused(1);
    RunKey run = claimed();
    response.body().close();
    rig.ticks.runFree(() -> rig.twins.clock.advance(Duration.ofSeconds(5)));
    rig.twins.awaitLogged("client_gone");

    assertEquals("in-progress", ((RunState.Existing) rig.twins.runs().load(run)).status().wire());
  }

  @Test
  void theSameKeyIsTheSameRun() throws Exception {
    HttpRequest request =
        rig.request("/runs")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "k-1")
            .POST(HttpRequest.BodyPublishers.ofString(create("async")))
            .build();

    HttpResponse<String> first = rig.client().send(request, BodyHandlers.ofString());
    claimed();
    HttpResponse<String> second = rig.client().send(request, BodyHandlers.ofString());

    assertEquals(first.body(), second.body());
    assertEquals(202, second.statusCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /runs               | {"agent_name":"nobody","input":[]} | 404 | not_found
          POST | /runs               | {}                                 | 422 | invalid_input
          POST | /runs               | no JSON                            | 422 | invalid_input
          POST | /runs/NO_RUN        | RESUME                             | 404 | not_found
          POST | /runs/not-a-uuid    | RESUME                             | 422 | invalid_input
          POST | /runs/NO_RUN/events | {}                                 | 405 | server_error
          GET  | /runs/NO_RUN/events |                                    | 404 | not_found
          GET  | /runs/1/events      |                                    | 422 | invalid_input
          GET  | /runs/NO_RUN/other  |                                    | 404 | not_found
          GET  | /runs               |                                    | 405 | server_error
          """)
  void refusesInTheProtocolsWords(String method, String path, String body, int status, String code)
      throws Exception {
    String sent = body == null ? "" : body.replace("RESUME", resume("sync"));
    HttpResponse<String> response =
        rig.send(
            rig.request(path.replace("NO_RUN", NO_RUN))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(sent)));

    assertEquals(status, response.statusCode(), response.body());
    assertEquals(code, json("Error", response).path("code").asText());
  }

  @Test
  void aStoreThatDoesNotAnswerIsAnErrorOfTheProtocol() throws Exception {
    rig.twins.log.begin(new PortUnavailable("down"));

    HttpResponse<String> response = posted("/runs", create("async")).get();

    assertEquals(503, response.statusCode());
    assertEquals("server_error", json("Error", response).path("code").asText());
    assertTrue(response.headers().firstValue("Retry-After").isPresent());
  }

  @Test
  void aStreamThatBreaksOffSaysSo() throws Exception {
    CompletableFuture<HttpResponse<String>> response = posted("/runs", create("stream"));
    rig.ticks.awaitPaused(1);
    rig.twins.log.begin(new IllegalStateException("broken log"));
    rig.ticks.tick();

    List<JsonNode> events = events(response.get().body());
    assertEquals(List.of("run.created", "error"), types(events));
    assertEquals("server_error", events.getLast().at("/error/code").asText());
  }

  @Test
  void aBodyThatIsTooLargeOrNoJsonIsRefused() throws Exception {
    HttpResponse<String> large =
        posted("/runs", "{\"agent_name\":\"" + "x".repeat(1024 * 1024) + "\"}").get();
    assertEquals(413, large.statusCode());
    json("Error", large);
    HttpResponse<String> text =
        rig.send(rig.request("/runs").POST(HttpRequest.BodyPublishers.ofString(create("async"))));
    assertEquals(422, text.statusCode());
    assertEquals("invalid_input", json("Error", text).path("code").asText());
  }
}
