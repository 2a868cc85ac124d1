package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.task.TaskKey;
import dev.runyard.functions.Twins;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tasks over HTTP.
final class TasksApiTest {
  private static final String TASK =
      "{\"task_id\":\"t1\",\"title\":\"say hi\",\"request\":{\"agent\":\"echo\"}}";

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  private JsonNode post(int status, String path, String body) {
    var response = client.call(Client.post(path, body));
    assertEquals(status, response.getStatusCode(), response.getBody());
    return Client.json(response);
  }

  private JsonNode get(String path, Map<String, String> query) {
    var response = client.call(Client.request("GET", path).withQueryStringParameters(query));
    assertEquals(200, response.getStatusCode(), response.getBody());
    return Client.json(response);
  }

  private JsonNode command(String name, String params) {
    return post(200, "/v1/runtime/commands", body(name, params));
  }

  private static String body(String name, String params) {
    return "{\"command\":\"%s\",\"params\":{%s}}".formatted(name, params);
  }

  private void refused(String code, String name, String params) {
    var response = client.call(Client.post("/v1/runtime/commands", body(name, params)));
    assertEquals(code, Client.json(response).path("code").asText(), response.getBody());
  }

  private String outcome(String name, String params) {
    return command(name, params).path("outcome").asText();
  }

  private void advance(String id) {
    twins.useCases.tasks().advanceTask().advance(new TaskKey("default", id), List.of());
  }

  /// The newest run of the task ends, and the task is told.
  private void ends(String id) {
    RunKey run =
        new RunKey("default", get("/v1/tasks/" + id, Map.of()).path("current_run_id").asText());
    var _ =
        twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    twins.complete(run);
    twins.useCases.tasks().advanceTask().told(twins.useCases.advanceRun().advance(run));
  }

  @Test
  void isCreatedStartedAndCompleted() {
    JsonNode created = post(201, "/v1/tasks", TASK);
    assertEquals("accepted", created.path("status").asText());
    assertEquals(created, post(201, "/v1/tasks", TASK));
    JsonNode started = command("start_task", "\"task_id\":\"t1\"");
    assertEquals("accepted", started.path("outcome").asText());
    assertEquals("/v1/tasks/t1/events", started.path("stream").asText());
    assertEquals("t1", started.at("/ids/task_id").asText());
    assertEquals("no_op", outcome("start_task", "\"task_id\":\"t1\""));
    String run = started.at("/ids/run_id").asText();
    JsonNode own = get("/v1/tasks/task-" + run, Map.of());
    assertEquals("queued", own.path("status").asText());
    assertEquals("t1", own.path("parent_task_id").asText());
    ends("t1");

    JsonNode task = command("get_task", "\"task_id\":\"t1\"").path("result");
    assertEquals("completed", task.path("status").asText());
    assertEquals("completed", task.at("/attempts/0/status").asText());
    assertEquals(task, get("/v1/tasks/t1", Map.of()));
    assertEquals("no_op", outcome("complete_task", "\"task_id\":\"t1\""));
    assertEquals("done", outcome("archive_task", "\"task_id\":\"t1\""));
    refused("task_closed", "cancel_task", "\"task_id\":\"t1\"");
  }

  @Test
  void runsAreSubmittedForATask() {
    post(201, "/v1/tasks", TASK);
    String run = "{\"agent\":\"echo\",\"prompt\":\"hi\",\"task_id\":\"t1\"}";
    String id = post(202, "/v1/runs", run).path("run_id").asText();
    assertEquals(id, get("/v1/tasks/t1", Map.of()).path("current_run_id").asText());
    assertEquals(
        "task_not_found", post(404, "/v1/runs", run.replace("t1", "t2")).path("code").asText());
    assertEquals("accepted", outcome("cancel_task", "\"task_id\":\"t1\",\"reason\":\"r\""));
    assertEquals("task_closed", post(409, "/v1/runs", run).path("code").asText());
    advance("t1");
    assertEquals("cancelling", get("/v1/runs/" + id, Map.of()).path("status").asText());
    assertEquals("cancelling", get("/v1/tasks/t1", Map.of()).path("status").asText());
  }

  @Test
  void waitForEachOther() {
    post(201, "/v1/tasks", TASK);
    post(201, "/v1/tasks", TASK.replace("t1", "t2"));
    String link = "\"task_id\":\"t1\",\"kind\":\"blocks\",\"to\":\"t2\"";
    assertEquals("done", outcome("link_tasks", link));
    assertEquals("no_op", outcome("link_tasks", link));
    refused("task_cycle", "link_tasks", link.replace("blocks", "blocked_by"));
    assertEquals("queued", outcome("start_task", "\"task_id\":\"t2\""));
    String run = "{\"agent\":\"echo\",\"prompt\":\"hi\",\"task_id\":\"t2\"}";
    assertEquals("task_blocked", post(409, "/v1/runs", run).path("code").asText());
    JsonNode blocked = get("/v1/tasks/t2", Map.of());
    assertEquals("blocked", blocked.path("status").asText());
    assertEquals("blocked_by t1", blocked.path("status_reason").asText());
    assertEquals("done", outcome("complete_task", "\"task_id\":\"t1\",\"summary\":\"s\""));
    advance("t1");
    advance("t2");
    assertEquals("queued", get("/v1/tasks/t2", Map.of()).path("status").asText());
    assertEquals("done", outcome("unlink_tasks", link));
    assertEquals("no_op", outcome("unlink_tasks", link));
  }

  @Test
  void changeAndTellHowFarTheyAre() {
    post(201, "/v1/tasks", TASK.replace("}}", "},\"draft\":true}"));
    refused("task_blocked", "start_task", "\"task_id\":\"t1\"");
    assertEquals(
        "new",
        command("update_task", "\"task_id\":\"t1\",\"title\":\"new\",\"draft\":false")
            .at("/result/title")
            .asText());
    assertEquals(
        50,
        command("append_task_progress", "\"task_id\":\"t1\",\"message\":\"half\",\"percent\":50")
            .at("/result/progress/percent")
            .asInt());
    assertEquals("done", outcome("pause_task", "\"task_id\":\"t1\""));
    assertEquals("no_op", outcome("pause_task", "\"task_id\":\"t1\""));
    assertEquals("done", outcome("resume_task", "\"task_id\":\"t1\""));
    assertEquals("done", outcome("fail_task", "\"task_id\":\"t1\",\"reason\":\"r\""));
    String retry = "\"task_id\":\"t1\",\"reason\":\"again\",\"request\":{\"prompt\":\"other\"}";
    assertEquals("accepted", outcome("retry_task", retry));
    RunKey run =
        new RunKey("default", get("/v1/tasks/t1", Map.of()).path("current_run_id").asText());
    var _ =
        twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    JsonNode paused = command("pause_task", "\"task_id\":\"t1\"");
    assertEquals("unavailable", paused.path("outcome").asText());
    assertEquals("run_at_work", paused.at("/result/unavailable/code").asText());
  }

  @Test
  void aRunAtWorkRestsWhileItsTaskIsPaused() {
    post(201, "/v1/tasks", TASK.replace("\"echo\"", "\"claude_code\""));
    assertEquals("accepted", outcome("start_task", "\"task_id\":\"t1\""));
    String id = get("/v1/tasks/t1", Map.of()).path("current_run_id").asText();
    RunKey run = new RunKey("default", id);
    twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    assertEquals("accepted", outcome("pause_task", "\"task_id\":\"t1\",\"reason\":\"later\""));
    assertEquals("no_op", outcome("pause_task", "\"task_id\":\"t1\""));
    assertEquals("paused", get("/v1/tasks/t1", Map.of()).path("status").asText());
    assertEquals("preparing", get("/v1/runs/" + id, Map.of()).path("phase").asText());

    RunEvent rests = new RunEvent.TaskPaused(1, "a-1", "put_aside");
    twins.runs().execute(run, new RunCommand.Report("a-1", List.of(rests)));
    assertEquals("paused", get("/v1/runs/" + id, Map.of()).path("phase").asText());
    assertEquals("in-progress", get("/v1/runs/" + id, Map.of()).path("status").asText());
    assertEquals("done", outcome("resume_task", "\"task_id\":\"t1\""));
    assertEquals("queued", get("/v1/runs/" + id, Map.of()).path("phase").asText());
  }

  @Test
  void keysAreUsedOnce() {
    Map<String, String> key = Map.of("Idempotency-Key", "k", "Content-Type", "application/json");
    String body = TASK.replace("\"task_id\":\"t1\",", "");
    String id =
        Client.json(client.call(Client.post("/v1/tasks", body).withHeaders(key)))
            .path("task_id")
            .asText();
    assertEquals(
        id,
        Client.json(client.call(Client.post("/v1/tasks", body).withHeaders(key)))
            .path("task_id")
            .asText());
    assertEquals(
        422,
        client
            .call(Client.post("/v1/tasks", body.replace("hi", "ho")).withHeaders(key))
            .getStatusCode());
    post(201, "/v1/tasks", TASK);
    assertEquals(
        "idempotency_mismatch",
        post(422, "/v1/tasks", TASK.replace("hi", "ho")).path("code").asText());
  }

  @Test
  void pagesThroughTheTasksOfATenant() {
    for (int i = 1; i <= 3; i++) {
      post(201, "/v1/tasks", TASK.replace("t1", "t" + i));
    }
    JsonNode first = get("/v1/tasks", Map.of("limit", "2"));
    JsonNode rest =
        get("/v1/tasks", Map.of("limit", "2", "cursor", first.path("next_cursor").asText()));

    assertEquals(2, first.path("tasks").size());
    assertEquals(1, rest.path("tasks").size());
    assertTrue(rest.path("next_cursor").isNull());
    assertEquals(3, command("list_tasks", "").at("/result/tasks").size());
  }

  @Test
  void listsTasksOfSomeStatuses() {
    for (int i = 1; i <= 5; i++) {
      post(201, "/v1/tasks", TASK.replace("t1", "t" + i));
    }
    for (String id : List.of("t2", "t4")) {
      command("fail_task", "\"task_id\":\"%s\",\"reason\":\"r\"".formatted(id));
      twins.useCases.tasks().projectTask().project(new TaskKey("default", id));
    }
    assertEquals(List.of("t4", "t2"), listed(Map.of("status", "failed")));
    assertEquals(List.of(), listed(Map.of("status", "lost,timed_out")));
    assertEquals(5, listed(Map.of("status", "failed,accepted")).size());
    JsonNode first = get("/v1/tasks", Map.of("status", "failed", "limit", "1"));
    String cursor = first.path("next_cursor").asText();
    Map<String, String> next = Map.of("status", "failed", "limit", "1", "cursor", cursor);
    assertEquals(List.of("t2"), listed(next));
    assertTrue(get("/v1/tasks", next).path("next_cursor").isNull());
    assertEquals(2, command("list_tasks", "\"status\":\"failed\"").at("/result/tasks").size());
    refused("invalid_request", "list_tasks", "\"status\":\"failed,\"");
    var wrong =
        client.call(
            Client.request("GET", "/v1/tasks").withQueryStringParameters(Map.of("status", "odd")));
    assertEquals("invalid_request", Client.json(wrong).path("code").asText());
  }

  private List<String> listed(Map<String, String> query) {
    return get("/v1/tasks", query).path("tasks").findValuesAsText("task_id");
  }

  @Test
  void commandsOfAKeyActOnce() {
    post(201, "/v1/tasks", TASK);
    post(201, "/v1/tasks", TASK.replace("t1", "t2"));
    String link = "\"task_id\":\"t1\",\"kind\":\"blocked_by\",\"to\":\"t2\"";
    assertOnce(
        "pause_task", "\"task_id\":\"t1\"", () -> command("resume_task", "\"task_id\":\"t1\""));
    assertOnce("link_tasks", link, () -> command("unlink_tasks", link));
    String update = "\"task_id\":\"t1\",\"title\":\"%s\"";
    assertOnce(
        "update_task",
        update.formatted("new"),
        () -> command("update_task", update.formatted("b")));
    String progress = "\"task_id\":\"t1\",\"message\":\"%s\"";
    assertOnce(
        "append_task_progress",
        progress.formatted("half"),
        () -> command("append_task_progress", progress.formatted("all")));
  }

  /// The same key with the same content does nothing more, and with another content is refused.
  private void assertOnce(String name, String params, Runnable undo) {
    Map<String, String> key = Map.of("Idempotency-Key", name, "Content-Type", "application/json");
    String route = "/v1/runtime/commands";
    assertEquals("done", keyed(route, body(name, params), key).path("outcome").asText());
    undo.run();
    long before = get("/v1/tasks/t1", Map.of()).path("last_sequence").asLong();
    JsonNode again = keyed(route, body(name, params), key);
    assertEquals("no_op", again.path("outcome").asText(), again::toString);
    assertEquals(before, get("/v1/tasks/t1", Map.of()).path("last_sequence").asLong());
    JsonNode other = keyed(route, body(name, params.replace("t1", "t2")), key);
    assertEquals("idempotency_mismatch", other.path("code").asText(), other::toString);
  }

  private JsonNode keyed(String route, String body, Map<String, String> key) {
    return Client.json(client.call(Client.post(route, body).withHeaders(key)));
  }

  @Test
  void refuseWhatCannotBe() {
    assertEquals(
        "/request/prompt",
        post(400, "/v1/tasks", TASK.replace("\"echo\"", "\"echo\",\"prompt\":7"))
            .at("/errors/0/pointer")
            .asText());
    assertEquals(
        "/request/turn_id",
        post(400, "/v1/tasks", TASK.replace("\"echo\"", "\"echo\",\"turn_id\":\"t\""))
            .at("/errors/0/pointer")
            .asText());
    assertEquals(
        "/task_id",
        post(400, "/v1/tasks", TASK.replace("t1", "task-019c0000-0000-7000-8000-000000000001"))
            .at("/errors/0/pointer")
            .asText());
    assertEquals(
        "task_not_found",
        post(404, "/v1/tasks", TASK.replace("\"title", "\"parent_task_id\":\"no\",\"title"))
            .path("code")
            .asText());
    var wrong =
        client.call(Client.post("/v1/runtime/commands", body("create_task", "\"title\":\" \"")));
    assertEquals("/params/title", Client.json(wrong).at("/errors/0/pointer").asText());
    refused("invalid_request", "link_tasks", "\"task_id\":\"t1\",\"kind\":\"x\",\"to\":\"y\"");
    refused("invalid_request", "retry_task", "\"task_id\":\"t1\"");
    refused("invalid_request", "cancel_task", "\"task_id\":\"t1\",\"more\":1");
    refused("task_not_found", "cancel_task", "\"task_id\":\"t1\"");
    refused("task_not_found", "get_task", "\"task_id\":\"t1\"");
  }
}
