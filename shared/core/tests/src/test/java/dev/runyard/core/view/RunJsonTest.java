package dev.runyard.core.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.usage.Usage;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

final class RunJsonTest {
  private static final RunKey RUN = new RunKey("default", "019a0000-0000-7000-8000-000000000001");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final RunEvent CREATED =
      new RunEvent.TaskCreated(
          "echo",
          Map.of(),
          List.of(),
          null,
          60,
          Map.of("TOKEN", "s3cret"),
          Map.of(),
          RetryPolicy.NEVER);
  private static final RunEvent[] STARTED = {
    CREATED,
    new RunEvent.TurnSubmitted("hi"),
    new RunEvent.TaskQueued(1, 0, 0),
    new RunEvent.AttemptStarted(1, "a1", "r1", "t1"),
    new RunEvent.ProcessStarted("p1", "echo"),
    new RunEvent.ModelDelta("hel"),
    new RunEvent.ModelDelta("lo")
  };
  private static final List<String> NAMES =
      List.of(
          "run_id",
          "agent",
          "status",
          "phase",
          "session_id",
          "thread_id",
          "turn_id",
          "attempt",
          "await_request",
          "output",
          "final_text",
          "usage",
          "error",
          "blocked",
          "exit",
          "created_at",
          "started_at",
          "finished_at",
          "last_sequence",
          "closed");

  @Test
  void everyMemberIsAlwaysThere() {
    for (RunState.Existing run : List.of(fold(CREATED), fold(STARTED), completed(), failed())) {
      assertEquals(
          NAMES,
          StreamSupport.stream(
                  ((Iterable<String>) () -> RunJson.of(run).fieldNames()).spliterator(), false)
              .toList());
    }
  }

  @Test
  void aCreatedRunHasNoOutputYet() {
    JsonNode json = RunJson.of(fold(CREATED));

    assertEquals("created", json.path("status").textValue());
    assertEquals("queued", json.path("phase").textValue());
    assertEquals("2026-01-01T00:00:00.123Z", json.path("created_at").textValue());
    assertTrue(json.path("output").isEmpty());
    assertTrue(json.path("started_at").isNull());
    assertTrue(json.path("usage").path("cost_usd").isNull());
    assertFalse(json.path("closed").booleanValue());
    assertFalse(json.toString().contains("s3cret"));
  }

  @Test
  void outputGrowsAndFinalTextWaitsForTheEnd() {
    JsonNode running = RunJson.of(fold(STARTED));

    assertEquals("in-progress", running.path("status").textValue());
    assertEquals("hello", running.at("/output/0/parts/0/content").textValue());
    assertEquals("text/plain", running.at("/output/0/parts/0/content_type").textValue());
    assertEquals("agent/echo", running.at("/output/0/role").textValue());
    assertTrue(running.path("final_text").isNull());
  }

  @Test
  void aCompletedRunReportsItsExitAndUsage() {
    JsonNode json = RunJson.of(completed());

    assertEquals("hello", json.path("final_text").textValue());
    assertEquals(0, json.at("/exit/code").intValue());
    assertTrue(json.at("/exit/signal").isNull());
    assertEquals(7, json.at("/usage/input_tokens").intValue());
    assertEquals(0.25, json.at("/usage/cost_usd").doubleValue());
    assertEquals(12, json.path("last_sequence").intValue());
    assertTrue(json.path("closed").booleanValue());
    assertTrue(json.path("error").isNull());
  }

  @Test
  void aFailedRunSaysWhy() {
    JsonNode json = RunJson.of(failed());

    assertEquals("failed", json.path("status").textValue());
    assertEquals("timed_out", json.path("phase").textValue());
    assertEquals("timed_out", json.at("/error/code").textValue());
    assertEquals("caller", json.at("/error/category").textValue());
    assertEquals("too long", json.at("/error/message").textValue());
  }

  @Test
  void aCancelledRunSaysSo() {
    JsonNode json =
        RunJson.of(
            fold(
                CREATED,
                new RunEvent.CancelRequested("enough"),
                new RunEvent.TaskCancelled("enough")));

    assertEquals("cancelled", json.path("status").textValue());
    assertEquals("cancelled", json.at("/error/code").textValue());
    assertEquals("cancelled", json.at("/error/message").textValue());
  }

  @Test
  void theRuntimeViewMasksVariables() throws IOException {
    JsonNode event = JsonFormat.JSON.readTree(rendered(stored(1, CREATED)));

    assertEquals("task.created", event.path("type").textValue());
    assertEquals("***", event.at("/payload/env/TOKEN").textValue());
    assertFalse(event.toString().contains("s3cret"));
  }

  @Test
  void theRuntimeViewMasksTheSecretOfAWebhook() throws IOException {
    RunEvent created =
        new RunEvent.TaskCreated(
            "echo",
            Map.of(),
            List.of(),
            null,
            60,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER,
            null,
            null,
            new RunWebhook("https://a.example/", "whsec_s3cret", List.of("run.failed")),
            null,
            null,
            null);
    JsonNode event = JsonFormat.JSON.readTree(rendered(stored(1, created)));

    assertEquals("https://a.example/", event.at("/payload/webhook/url").textValue());
    assertEquals("***", event.at("/payload/webhook/secret").textValue());
    assertFalse(event.toString().contains("s3cret"));
  }

  @Test
  void theRuntimeViewKeepsEverythingElse() throws IOException {
    JsonNode event = JsonFormat.JSON.readTree(rendered(stored(6, STARTED[5])));

    assertEquals("hel", event.at("/payload/text").textValue());
    assertEquals(6, event.path("sequence").intValue());
    assertFalse(rendered(stored(1, new RunEvent.ModelDelta("a\r\nb"))).contains("\n"));
  }

  private static String rendered(StoredEvent event) {
    return RuntimeView.plain().render(event).getFirst().json();
  }

  private static RunState.Existing completed() {
    return fold(
        STARTED,
        new RunEvent.CostRecorded(new Usage(7, 3, 2, 1, 0.25), "m"),
        new RunEvent.ProcessCompleted("p1", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "a1"),
        new RunEvent.TurnCompleted(),
        new RunEvent.TaskCompleted());
  }

  private static RunState.Existing failed() {
    return fold(
        STARTED,
        new RunEvent.TaskTimedOut(new Failure(Failure.TIMED_OUT, Category.CALLER, "too long")));
  }

  private static RunState.Existing fold(RunEvent[] first, RunEvent... more) {
    List<RunEvent> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(more));
    return fold(all.toArray(RunEvent[]::new));
  }

  private static RunState.Existing fold(RunEvent... events) {
    RunState state = RunState.absent();
    for (RunEvent event : events) {
      state = RunFold.evolve(state, stored(state.sequence() + 1, event));
    }
    return (RunState.Existing) state;
  }

  private static StoredEvent stored(long sequence, RunEvent event) {
    return new StoredEvent(RUN, "s1", null, sequence, START, event);
  }
}
