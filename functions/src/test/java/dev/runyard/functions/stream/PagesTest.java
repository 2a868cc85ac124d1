package dev.runyard.functions.stream;

import static dev.runyard.functions.stream.StreamRig.events;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PagesTest {
  private final StreamRig rig = new StreamRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void showsARunInPages() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.complete(run);

    List<Integer> seen = new ArrayList<>();
    JsonNode page = page(events(run, "?limit=2"));
    while (!page.path("closed").booleanValue()) {
      page.path("events").forEach(event -> seen.add(event.path("sequence").intValue()));
      page = page(events(run, "?limit=2&after=" + page.path("next_after").intValue()));
    }
    page.path("events").forEach(event -> seen.add(event.path("sequence").intValue()));

    assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), seen);
    assertEquals(9, page.path("next_after").intValue());
  }

  @Test
  void saysClosedOnlyWithTheTerminalEvent() throws Exception {
    RunKey run = rig.twins.running();
    assertFalse(page(events(run, "")).path("closed").booleanValue());
    rig.twins.complete(run);

    assertFalse(page(events(run, "?limit=8")).path("closed").booleanValue());
    assertTrue(page(events(run, "?limit=9")).path("closed").booleanValue());
    JsonNode beyond = page(events(run, "?after=9"));
    assertTrue(beyond.path("closed").booleanValue());
    assertEquals(0, beyond.path("events").size());
  }

  @Test
  void masksTheEnvironment() throws Exception {
    String body = rig.get(events(rig.twins.running(), "")).body();

    assertTrue(body.contains("\"TOKEN\":\"***\""));
    assertFalse(body.contains("s3cret"));
  }

  @Test
  void holdsAnEmptyPageBackUntilSomethingHappens() throws Exception {
    RunKey run = rig.twins.running();
    CompletableFuture<HttpResponse<String>> response =
        rig.getLater(events(run, "?after=5&wait=20"));
    rig.ticks.awaitPaused(1);
    assertFalse(response.isDone());
    rig.twins.report(run, new RunEvent.ModelDelta("x"));
    rig.ticks.tick();

    JsonNode page = JsonFormat.JSON.readTree(response.get().body());
    assertEquals(6, page.path("next_after").intValue());
    assertFalse(page.path("closed").booleanValue());
  }

  @Test
  void answersEmptyWhenItsTimeIsOver() throws Exception {
    RunKey run = rig.twins.running();
    CompletableFuture<HttpResponse<String>> response =
        rig.getLater(events(run, "?after=5&wait=20"));
    rig.ticks.awaitPaused(1);
    rig.twins.clock.advance(Duration.ofSeconds(20));
    rig.ticks.tick();

    JsonNode page = JsonFormat.JSON.readTree(response.get().body());
    assertEquals(0, page.path("events").size());
    assertEquals(5, page.path("next_after").intValue());
  }

  @Test
  void readsAThousandEventsAndEndsALargePageEarly() throws Exception {
    RunKey run = rig.twins.running();
    for (int i = 0; i < 100; i++) {
      rig.twins.report(run, new RunEvent.ModelDelta("x".repeat(65_536)));
    }

    JsonNode page = page(events(run, "?limit=1000"));

    int count = page.path("events").size();
    assertTrue(count > 60 && count < 105, String.valueOf(count));
    assertEquals(count, page.path("next_after").intValue());
    assertEquals(
        count + 1,
        page(events(run, "?limit=1&after=" + count)).at("/events/0/sequence").intValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?after=-1",
        "?after=x",
        "?after=",
        "?after=1.0",
        "?after=9223372036854775808",
        "?after=1&after=2",
        "?limit=0",
        "?limit=1001",
        "?wait=21",
        "?wait=1s",
        "?view=none",
        "?view=",
        "?tenant=x"
      })
  void refusesABadQuery(String query) throws Exception {
    assertProblem(rig.get(rawEvents(query)), 400, "invalid_request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "1 2", "1;2", "99999999999999999999"})
  void refusesABadLastEventId(String id) throws Exception {
    RunKey run = rig.twins.running();

    assertProblem(
        rig.send(
            rig.request(events(run, ""))
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", id)),
        400,
        "invalid_request");
  }

  @Test
  void knowsNoOtherResources() throws Exception {
    RunKey none = new RunKey("default", "019c0000-0000-7000-8000-000000000000");
    String own = events(rig.twins.running(), "");

    assertProblem(rig.get(events(none, "")), 404, "run_not_found");
    assertProblem(rig.get(events(none, "?after=5")), 404, "run_not_found");
    assertProblem(rig.get("/v1/runs/%2e%2e/events"), 404, "run_not_found");
    assertProblem(rig.get("/v1/runs/nonsense/events"), 404, "run_not_found");
    assertProblem(rig.get("/"), 404, "not_found");
    assertProblem(rig.get(own + "/x"), 404, "not_found");
    HttpResponse<String> posted =
        rig.send(rig.request(own).POST(HttpRequest.BodyPublishers.ofString("x")));
    assertProblem(posted, 405, "method_not_allowed");
    assertEquals("GET", posted.headers().firstValue("Allow").orElse(""));
  }

  @Test
  void saysWhenTheLogDoesNotAnswer() throws Exception {
    RunKey run = rig.twins.running();
    rig.twins.log.begin(new PortUnavailable("10.0.0.1"));
    HttpResponse<String> response = rig.get(events(run, ""));

    assertProblem(response, 503, "unavailable");
    assertEquals("1", response.headers().firstValue("Retry-After").orElse(""));
    assertFalse(response.body().contains("10.0.0.1"));

    rig.twins.log.begin(new IllegalStateException("s3cret"));
    assertProblem(rig.get(events(run, "")), 500, "internal_error");
    assertFalse(rig.twins.logged().contains("s3cret"));
  }

  @Test
  void namesEveryRequest() throws Exception {
    HttpResponse<String> response = rig.send(rig.request("/").header("X-Request-Id", "mine-1"));

    assertEquals("mine-1", response.headers().firstValue("X-Request-Id").orElse(""));
    assertFalse(rig.get("/").headers().firstValue("X-Request-Id").orElse("").isEmpty());
  }

  private String rawEvents(String query) {
    return events(rig.twins.running(), query);
  }

  private JsonNode page(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = rig.get(path);
    assertEquals(200, response.statusCode(), response.body());
    return JsonFormat.JSON.readTree(response.body());
  }

  private static void assertProblem(HttpResponse<String> response, int status, String code)
      throws IOException {
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(
        "application/problem+json", response.headers().firstValue("Content-Type").orElse(""));
    assertEquals(code, JsonFormat.JSON.readTree(response.body()).path("code").textValue());
  }
}
