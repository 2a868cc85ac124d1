package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.run.RunStatus;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AcpResumeTest {
  private final AcpRig rig = new AcpRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void endsAStreamAndASyncCallWhereTheRunAwaits() throws Exception {
    CompletableFuture<HttpResponse<String>> streamed = rig.posted("/runs", AcpRig.create("stream"));
    rig.stream.ticks.awaitPaused(1);
    RunKey run = rig.claimed();
    rig.asks(run);
    rig.stream.ticks.tick();
    List<JsonNode> events = AcpRig.events(streamed.get().body());
    assertEquals("run.awaiting", AcpRig.types(events).getLast());
    assertEquals("message", events.getLast().at("/run/await_request/type").asText());

    HttpResponse<String> response =
        rig.posted("/runs/" + run.runId(), AcpRig.resume("async")).get();

    assertEquals(202, response.statusCode());
    assertEquals("in-progress", AcpRig.json("Run", response).path("status").asText());
    assertTrue(rig.stream.get(StreamRig.events(run, "")).body().contains("\"content\":\"hi\""));
  }

  @Test
  void aResumedStreamBeginsWithTheNextEvent() throws Exception {
    RunKey run = rig.awaiting();
    CompletableFuture<HttpResponse<String>> response =
        rig.posted("/runs/" + run.runId(), AcpRig.resume("stream"));
    rig.stream.ticks.awaitPaused(1);
    rig.says(run, "bye");
    rig.stream.twins.complete(run);
    rig.stream.ticks.tick();

    assertEquals(200, response.get().statusCode());
    assertEquals(
        List.of(
            "run.in-progress",
            "message.created",
            "message.part",
            "message.completed",
            "run.completed"),
        AcpRig.types(AcpRig.events(response.get().body())));
    assertEquals(run.runId(), response.get().headers().firstValue("Run-ID").orElseThrow());
  }

  @Test
  void aResumedSyncCallAnswersWithTheEndedRun() throws Exception {
    RunKey run = rig.awaiting();
    CompletableFuture<HttpResponse<String>> response =
        rig.posted("/runs/" + run.runId(), AcpRig.resume("sync"));
    rig.stream.ticks.awaitPaused(1);
    rig.stream.twins.complete(run);
    rig.stream.ticks.tick();

    assertEquals("completed", AcpRig.json("Run", response.get()).path("status").asText());
  }

  @Test
  void refusesToResumeWhatDoesNotAwait() throws Exception {
    RunKey run = rig.awaiting();
    assertEquals(
        202, rig.posted("/runs/" + run.runId(), AcpRig.resume("async")).get().statusCode());

    HttpResponse<String> again = rig.posted("/runs/" + run.runId(), AcpRig.resume("async")).get();

    assertEquals(403, again.statusCode());
    assertEquals("server_error", AcpRig.json("Error", again).path("code").asText());
    HttpResponse<String> other =
        rig.posted(
                "/runs/" + run.runId(), "{\"await_resume\":{\"type\":\"other\"},\"mode\":\"sync\"}")
            .get();
    assertEquals(403, other.statusCode());
  }

  @Test
  void refusesAnAnswerBesidesTheChoicesAndWaitsForAnother() throws Exception {
    AcpRig.json("Run", rig.posted("/runs", AcpRig.create("async")).get());
    RunKey run = rig.claimed();
    rig.asks(run, "yes", "no");

    HttpResponse<String> wrong = rig.posted("/runs/" + run.runId(), AcpRig.resume("async")).get();

    assertEquals(422, wrong.statusCode());
    JsonNode error = AcpRig.json("Error", wrong);
    assertEquals("invalid_input", error.path("code").asText());
    assertEquals("/await_resume/message", error.at("/data/pointers/0").asText());
    RunState.Existing now = (RunState.Existing) rig.stream.twins.runs().load(run);
    assertEquals(RunStatus.AWAITING, now.status());
  }
}
