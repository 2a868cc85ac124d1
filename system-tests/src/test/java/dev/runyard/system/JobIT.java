package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs on a whole stack: one of three hundred items, of which one is bad; one whose stack is
/// killed again and again; one on emulators, whose roles have only their rights.
@Order(4)
final class JobIT {
  private static final int MANY = 300;
  private static final int BAD = 123;
  private static final int SOME = 60;

  @TempDir private Path folder;

  @Test
  void runsThreeHundredItemsOfWhichOneIsBad() throws Exception {
    try (SystemStack stack = SystemStack.start(StackFolder.in(folder))) {
      Api api = stack.api();
      ObjectNode body = body("many", MANY);
      body.put("concurrency", 20);
      ((ObjectNode) body.path("items").path(BAD - 1))
          .putObject("extensions")
          .put("backend.echo.fail", true);
      accepted(api.post("/v1/jobs", body.toString()));
      accepted(start(api, "many"));

      JsonNode blocked = until(api, "many", "blocked");
      assertEquals(MANY - 1, blocked.at("/counts/completed").asInt(), blocked::toString);
      JsonNode bad = item(api, "many", BAD);
      assertEquals("echo_failed", bad.at("/last_error/code").asText(), bad::toString);
      stack.mayFail(bad.path("run_id").asText(), "echo_failed");
      accepted(act(api, "/v1/jobs/many/items/" + BAD + "/retry"));
      JsonNode again = retried(api, "many");
      stack.mayFail(again.path("run_id").asText(), "echo_failed");
      assertTrue(!again.path("run_id").equals(bad.path("run_id")), again::toString);
      accepted(api.post("/v1/jobs/many/items/" + BAD + "/report", "{\"note\":\"it is bad\"}"));

      JsonNode done = until(api, "many", "completed");
      assertEquals(1, done.at("/counts/reported").asInt(), done::toString);
      checkEnds(api, "many", MANY, 1);
      Api.Answer stream =
          api.raw("/v1/jobs/many/events?after=" + done.path("last_sequence").asLong());
      assertEquals(200, stream.status());
    }
  }

  @Test
  void losesNothingWheneverTheStackIsKilled() throws Exception {
    StackFolder files = StackFolder.in(folder);
    try (SystemStack stack = SystemStack.start(files)) {
      ObjectNode body = body("killed", SOME);
      body.put("concurrency", 6);
      body.putObject("retry").put("max_attempts", 4).putArray("on").add("runner_lost");
      accepted(stack.api().post("/v1/jobs", body.toString()));
      accepted(start(stack.api(), "killed"));
      untilCompleted(stack.api(), "killed", SOME / 10);
      stack.killAll();
    }
    for (int percent : new int[] {50, 90}) {
      try (SystemStack stack = SystemStack.start(files)) {
        untilCompleted(stack.api(), "killed", SOME * percent / 100);
        stack.killAll();
      }
    }
    try (SystemStack stack = SystemStack.start(files)) {
      JsonNode done = until(stack.api(), "killed", "completed");
      assertEquals(SOME, done.at("/counts/completed").asInt(), done::toString);
      checkEnds(stack.api(), "killed", SOME, 0);
    }
  }

  @Test
  void runsAndCancelsWithTheRightsOfTheTemplate() throws Exception {
    try (SystemStack stack = SystemStack.emulated(StackFolder.in(folder))) {
      Api api = stack.api();
      ObjectNode body = body("emulated", 12);
      body.put("concurrency", 4).put("on_failed", "finish").put("session_id", "s-1");
      accepted(api.post("/v1/jobs", body.toString()));
      accepted(start(api, "emulated"));
      JsonNode done = until(api, "emulated", "completed");
      assertEquals(12, done.at("/counts/completed").asInt(), done::toString);
      checkEnds(api, "emulated", 12, 0);
      for (JsonNode event : events(api, "emulated", "job.item.started")) {
        String run = event.path("runId").asText();
        assertEquals("item-" + run, event.path("threadId").asText(), event::toString);
        assertEquals("s-1", api.get("/v1/runs/" + run).json().path("session_id").asText());
      }

      ObjectNode held = body("held", 3);
      ((ObjectNode) held.path("request")).putObject("extensions").put("backend.echo.events", 600);
      ((ObjectNode) held.at("/request/extensions")).put("backend.echo.interval_millis", 100);
      held.put("concurrency", 2);
      accepted(api.post("/v1/jobs", held.toString()));
      accepted(start(api, "held"));
      events(api, "held", "job.item.started");
      accepted(api.post("/v1/jobs/held/cancel", "{\"reason\":\"enough\"}"));
      JsonNode cancelled = until(api, "held", "cancelled");
      assertEquals(1, cancelled.at("/counts/pending").asInt(), cancelled::toString);
      assertEquals(List.of("held", "emulated"), listed(api, 2));
    }
  }

  private static ObjectNode body(String id, int items) {
    ObjectNode body = Api.JSON.createObjectNode();
    body.put("job_id", id).putObject("request").put("agent", "echo");
    var list = body.putArray("items");
    for (int i = 1; i <= items; i++) {
      list.addObject().put("prompt", "say " + i);
    }
    return body;
  }

  private static void accepted(Api.Answer answer) {
    assertEquals(202, answer.status(), answer.json()::toString);
  }

  private static Api.Answer start(Api api, String job) throws IOException, InterruptedException {
    return act(api, "/v1/jobs/" + job + "/start");
  }

  private static Api.Answer act(Api api, String path) throws IOException, InterruptedException {
    return api.send(api.request(path).POST(BodyPublishers.noBody()));
  }

  /// The job once it has this status.
  private static JsonNode until(Api api, String job, String status)
      throws IOException, InterruptedException {
    for (long after = 0; ; after = next(api, job, after)) {
      JsonNode now = api.get("/v1/jobs/" + job).json();
      if (now.path("status").asText().equals(status)) {
        return now;
      }
      assertTrue(!now.path("closed").asBoolean(), now::toString);
    }
  }

  private static void untilCompleted(Api api, String job, int items)
      throws IOException, InterruptedException {
    long after = 0;
    while (api.get("/v1/jobs/" + job).json().at("/counts/completed").asInt() < items) {
      after = next(api, job, after);
    }
  }

  /// Waits for more events of the job.
  private static long next(Api api, String job, long after)
      throws IOException, InterruptedException {
    return api.get("/v1/jobs/" + job + "/events?limit=1000&wait=5&after=" + after)
        .json()
        .path("next_after")
        .asLong();
  }

  private static JsonNode item(Api api, String job, int item)
      throws IOException, InterruptedException {
    return api.get("/v1/jobs/" + job + "/items?limit=1&from=" + item).json().at("/items/0");
  }

  /// The bad item once it has failed again.
  private static JsonNode retried(Api api, String job) throws IOException, InterruptedException {
    long after = 0;
    while (true) {
      JsonNode item = item(api, job, BAD);
      if (item.path("status").asText().equals("failed")
          && item.path("attempts").asInt() == 2
          && item.path("run_id").isTextual()) {
        return item;
      }
      after = next(api, job, after);
    }
  }

  /// The jobs in the order of their list, once it has so many: it is a little behind.
  private static List<String> listed(Api api, int count) throws IOException, InterruptedException {
    List<String> ids = List.of();
    while (ids.size() < count) {
      ids =
          api.get("/v1/jobs")
              .json()
              .path("jobs")
              .valueStream()
              .map(job -> job.path("job_id").asText())
              .toList();
    }
    return ids;
  }

  private static List<JsonNode> events(Api api, String job, String type)
      throws IOException, InterruptedException {
    List<JsonNode> found = new ArrayList<>();
    long after = 0;
    while (found.isEmpty()) {
      JsonNode page =
          api.get("/v1/jobs/" + job + "/events?limit=1000&wait=5&after=" + after).json();
      page.path("events").forEach(event -> add(found, event, type));
      after = page.path("next_after").asLong();
    }
    return found;
  }

  private static void add(List<JsonNode> found, JsonNode event, String type) {
    if (event.path("type").asText().equals(type)) {
      found.add(event);
    }
  }

  /// Each item was started and ended once, but for those that were retried, and as many runs as
  /// were started are there.
  private static void checkEnds(Api api, String job, int items, int retries)
      throws IOException, InterruptedException {
    Set<String> started = new HashSet<>();
    Set<String> ended = new HashSet<>();
    int ends = 0;
    JsonNode page = api.get("/v1/jobs/" + job + "/events?limit=1000").json();
    assertTrue(page.path("closed").asBoolean(), "all events are on one page");
    for (JsonNode event : page.path("events")) {
      String type = event.path("type").asText();
      if (type.equals("job.item.started")) {
        assertTrue(started.add(event.path("runId").asText()), event::toString);
      } else if (type.startsWith("job.item.")) {
        ends++;
        ended.add(event.path("runId").asText());
      }
    }
    assertEquals(items + retries, started.size());
    assertEquals(items + retries, ends);
    assertEquals(started, ended);
  }
}
