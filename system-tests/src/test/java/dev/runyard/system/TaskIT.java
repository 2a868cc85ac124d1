package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tasks on a whole stack: one that fails, is retried, and lets another one start; one with many
/// runs whose stack is killed amid its cancel; the same on emulators, whose roles have only their
/// rights.
@Order(4)
final class TaskIT {
  private static final int MANY = 20;
  private static final String LONG =
      "\"extensions\":{\"backend.echo.events\":6000,\"backend.echo.interval_millis\":100}";

  @TempDir private Path folder;

  @Test
  void isRetriedAndLetsAnotherStart() throws Exception {
    try (SystemStack stack = SystemStack.start(StackFolder.in(folder))) {
      isRetriedAndLetsAnotherStart(stack);
      isCancelledWithAllBelow(stack);
    }
  }

  @Test
  void doesSoWithTheRightsOfTheTemplate() throws Exception {
    try (SystemStack stack = SystemStack.emulated(StackFolder.in(folder))) {
      isRetriedAndLetsAnotherStart(stack);
      isCancelledWithAllBelow(stack);
    }
  }

  private static void isRetriedAndLetsAnotherStart(SystemStack stack) throws Exception {
    Api api = stack.api();
    created(
        api,
        "first",
        "\"request\":{\"agent\":\"echo\",\"extensions\":{\"backend.echo.fail\":true}}");
    created(api, "second", "\"acceptance\":\"manual\",\"request\":{\"agent\":\"echo\"}");
    done(api, "link_tasks", "\"task_id\":\"first\",\"kind\":\"blocks\",\"to\":\"second\"");
    assertEquals("queued", outcome(api, "start_task", "\"task_id\":\"second\""));
    assertEquals("blocked", task(api, "second").path("status").asText());
    JsonNode started = command(api, "start_task", "\"task_id\":\"first\"");
    stack.mayFail(started.at("/ids/run_id").asText(), "echo_failed");

    JsonNode failed = until(api, "first", "failed");
    assertEquals("echo_failed", failed.at("/last_error/code").asText(), failed::toString);
    assertEquals("blocked", task(api, "second").path("status").asText());
    String retry =
        "\"task_id\":\"first\",\"reason\":\"it may pass\","
            + "\"request\":{\"extensions\":{\"backend.echo.fail\":false}}";
    assertEquals("accepted", outcome(api, "retry_task", retry));
    JsonNode completed = until(api, "first", "completed");
    assertEquals(2, completed.path("attempts").size(), completed::toString);
    JsonNode waiting = until(api, "second", "waiting_input");
    assertEquals("acceptance", waiting.path("status_reason").asText(), waiting::toString);
    done(api, "complete_task", "\"task_id\":\"second\",\"summary\":\"well done\"");
    assertEquals(
        List.of("task.blocked", "task.dependency.updated", "task.attempt.started"),
        types(api, "second").stream()
            .filter(
                type ->
                    type.equals("task.blocked")
                        || type.equals("task.dependency.updated")
                        || type.equals("task.attempt.started"))
            .skip(2)
            .toList());
    until(api, "second", "completed");
  }

  private static void isCancelledWithAllBelow(SystemStack stack) throws Exception {
    Api api = stack.api();
    created(api, "above", "\"request\":{\"agent\":\"echo\"," + LONG + "}");
    created(
        api, "below", "\"parent_task_id\":\"above\",\"request\":{\"agent\":\"echo\"," + LONG + "}");
    for (String id : List.of("above", "below")) {
      command(api, "start_task", "\"task_id\":\"" + id + "\"");
    }
    until(api, "above", "running");
    assertEquals("accepted", outcome(api, "cancel_task", "\"task_id\":\"above\""));
    for (String id : List.of("above", "below")) {
      until(api, id, "cancelled");
    }
    Api.Answer refused =
        api.post("/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"task_id\":\"below\"}");
    assertEquals("task_closed", refused.json().path("code").asText(), refused.json()::toString);
  }

  @Test
  void nothingIsLeftWhenTheStackIsKilledAmidACancel() throws Exception {
    StackFolder files = StackFolder.in(folder);
    try (SystemStack stack = SystemStack.start(files)) {
      Api api = stack.api();
      created(api, "many", "\"request\":{\"agent\":\"echo\"}");
      for (int i = 0; i < MANY; i++) {
        Api.Answer run =
            api.post(
                "/v1/runs",
                "{\"agent\":\"echo\",\"prompt\":\"hi\",\"task_id\":\"many\"," + LONG + "}");
        assertEquals(202, run.status(), run.json()::toString);
      }
      created(api, "part", "\"parent_task_id\":\"many\",\"request\":{\"agent\":\"echo\"}");
      jobOf(api, "part");
      assertEquals("accepted", outcome(api, "cancel_task", "\"task_id\":\"many\""));
      stack.killAll();
    }
    try (SystemStack stack = SystemStack.start(files)) {
      JsonNode cancelled = until(stack.api(), "many", "cancelled");
      assertEquals(MANY, cancelled.path("attempts").size(), cancelled::toString);
      for (JsonNode attempt : cancelled.path("attempts")) {
        String run = attempt.path("run_id").asText();
        assertEquals("cancelled", attempt.path("status").asText(), attempt::toString);
        assertEquals(
            "cancelled", stack.api().get("/v1/runs/" + run).json().path("status").asText());
      }
      until(stack.api(), "part", "cancelled");
      JsonNode job = ended(stack);
      assertEquals("cancelled", job.path("status").asText(), job::toString);
      assertEquals(0, job.at("/counts/completed").asInt(), job::toString);
      assertTrue(job.at("/counts/pending").asInt() >= 2, job::toString);
    }
  }

  /// A job of four long items, two of which run at once.
  private static void jobOf(Api api, String task) throws Exception {
    String items = "[{\"prompt\":\"1\"},{\"prompt\":\"2\"},{\"prompt\":\"3\"},{\"prompt\":\"4\"}]";
    Api.Answer job =
        api.post(
            "/v1/jobs",
            "{\"job_id\":\"j1\",\"task_id\":\"%s\",\"concurrency\":2,\"request\":{\"agent\":\"echo\",%s},\"items\":%s}"
                .formatted(task, LONG, items));
    assertEquals(202, job.status(), job.json()::toString);
    api.post("/v1/jobs/j1/start", "{}");
  }

  /// The job once it has ended, read after each of its events.
  private static JsonNode ended(SystemStack stack) throws Exception {
    Api api = stack.api();
    long after = 0;
    for (JsonNode job = api.get("/v1/jobs/j1").json(); ; job = api.get("/v1/jobs/j1").json()) {
      if (job.path("closed").asBoolean()) {
        api.get("/v1/jobs/j1/items")
            .json()
            .path("items")
            .findValuesAsText("run_id")
            .forEach(run -> stack.mayFail(run, "runner_lost"));
        return job;
      }
      after =
          api.get("/v1/jobs/j1/events?after=%d&wait=5".formatted(after))
              .json()
              .path("next_after")
              .asLong();
    }
  }

  private static void created(Api api, String id, String members) throws Exception {
    Api.Answer answer =
        api.post(
            "/v1/tasks", "{\"task_id\":\"%s\",\"title\":\"say %s\",%s}".formatted(id, id, members));
    assertEquals(201, answer.status(), answer.json()::toString);
  }

  private static JsonNode command(Api api, String name, String params) throws Exception {
    Api.Answer answer =
        api.post(
            "/v1/runtime/commands", "{\"command\":\"%s\",\"params\":{%s}}".formatted(name, params));
    assertEquals(200, answer.status(), answer.json()::toString);
    return answer.json();
  }

  private static String outcome(Api api, String name, String params) throws Exception {
    return command(api, name, params).path("outcome").asText();
  }

  private static void done(Api api, String name, String params) throws Exception {
    assertEquals("done", outcome(api, name, params));
  }

  private static JsonNode task(Api api, String id) throws Exception {
    return api.get("/v1/tasks/" + id).json();
  }

  /// The task once it has this status, read after each of its events.
  private static JsonNode until(Api api, String id, String status) throws Exception {
    long after = 0;
    for (JsonNode task = task(api, id); ; task = task(api, id)) {
      if (task.path("status").asText().equals(status)) {
        return task;
      }
      after = page(api, id, after).path("next_after").asLong();
    }
  }

  private static JsonNode page(Api api, String id, long after) throws Exception {
    return api.get("/v1/tasks/%s/events?after=%d&wait=5".formatted(id, after)).json();
  }

  private static List<String> types(Api api, String id) throws Exception {
    List<String> types = new ArrayList<>();
    page(api, id, 0).path("events").forEach(event -> types.add(event.path("type").asText()));
    return types;
  }
}
