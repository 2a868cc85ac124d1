package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.task.TaskLimits;
import dev.runyard.testkit.openapi.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers about tasks.
final class TaskAnswersTest {
  private static final String TASKS = "/v1/tasks";

  private final Situation situation = new Situation();

  @AfterEach
  void close() {
    situation.close();
  }

  @Test
  void refuseWhatNoRunCanAskFor() throws Exception {
    Map<String, String> wrong =
        Map.of(
            "invalid_agent_kind",
            "\"agent\":\"no agent\"",
            "unknown_backend",
            "\"agent\":\"nobody\"",
            "unsupported_capability",
            "\"agent\":\"echo\",\"requires\":[\"agent_api.x\"]",
            "workspace_not_found",
            from("{\"run\":\"%s\"}".formatted(Situation.NO_RUN)),
            "upload_incomplete",
            from("{\"upload\":{\"id\":\"%s\"}}".formatted(upload())),
            "upload_not_found",
            from("{\"upload\":{\"id\":\"%s-1.zip\"}}".formatted("ab".repeat(32))));
    List<String> others = new ArrayList<>();
    for (var one : wrong.entrySet()) {
      Exchange answer =
          situation.functions.post(
              TASKS, "{\"title\":\"t\",\"request\":{%s}}".formatted(one.getValue()));
      if (!answer.code().equals(one.getKey())) {
        others.add(one.getKey() + ": " + answer);
      }
    }

    assertEquals(List.of(), others);
  }

  private String upload() throws Exception {
    String order =
        "{\"size_bytes\":1,\"sha256\":\"%s\",\"format\":\"zip\"}"
            .formatted(HexFormat.of().formatHex(new byte[32]));
    return situation
        .functions
        .post("/v1/uploads", order)
        .text()
        .replaceAll("(?s).*\"upload_id\"\\s*:\\s*\"([^\"]+)\".*", "$1");
  }

  private static String from(String workspace) {
    return "\"agent\":\"codex\",\"workspace\":" + workspace;
  }

  @Test
  void namesAreTakenOnce() throws Exception {
    assertEquals(201, situation.functions.post(TASKS, Situation.TASK).status());
    String other = Situation.TASK.replace("say hi", "say ho");

    assertEquals("idempotency_mismatch", situation.functions.post(TASKS, other).code());
    assertEquals("idempotency_mismatch", command("create_task", other).code());
    Exchange first = keyed("{\"title\":\"a\"}");
    assertEquals(201, first.status());
    assertEquals("idempotency_mismatch", keyed("{\"title\":\"b\"}").code());
  }

  private Exchange keyed(String body) throws Exception {
    return situation.functions.ask(
        "POST",
        TASKS,
        Map.of("Content-Type", "application/json", "Idempotency-Key", "k"),
        Optional.of(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aTaskHasOnlySoManyPartsAndRuns() throws Exception {
    String part = "{\"title\":\"part\",\"parent_task_id\":\"t-1\"}";
    for (int i = 0; i < TaskLimits.EDGES_MAX; i++) {
      assertEquals(201, situation.functions.post(TASKS, part).status());
    }
    assertEquals("task_full", situation.functions.post(TASKS, part).code());
    assertEquals("task_full", command("create_task", part).code());
    String run = run("t-1");
    for (int i = 0; i < TaskLimits.RUNS_MAX; i++) {
      assertEquals(202, situation.functions.post("/v1/runs", run).status());
    }
    assertEquals("task_full", situation.functions.post("/v1/runs", run).code());
  }

  private static String run(String task) {
    return "{\"agent\":\"echo\",\"prompt\":\"hi\",\"task_id\":\"%s\"}".formatted(task);
  }

  @Test
  void whatIsOverTakesNothing() throws Exception {
    assertEquals("task_not_found", situation.functions.post("/v1/runs", run("none")).code());
    assertEquals("task_not_found", command("submit_turn", run("none")).code());
    assertEquals(200, command("pause_task", "{\"task_id\":\"t-1\"}").status());
    assertEquals("task_blocked", situation.functions.post("/v1/runs", run("t-1")).code());
    assertEquals("task_blocked", command("submit_turn", run("t-1")).code());
    assertEquals(200, command("cancel_task", "{\"task_id\":\"t-1\"}").status());
    assertEquals("task_closed", situation.functions.post("/v1/runs", run("t-1")).code());
    assertEquals("task_closed", command("start_task", "{\"task_id\":\"t-1\"}").code());
    String part = "{\"title\":\"part\",\"parent_task_id\":\"%s\"}";
    assertEquals("task_closed", situation.functions.post(TASKS, part.formatted("t-1")).code());
    assertEquals("task_not_found", situation.functions.post(TASKS, part.formatted("none")).code());
    String own = "{\"title\":\"own\",\"task_id\":\"o\",\"parent_task_id\":\"o\"}";
    assertEquals("task_cycle", situation.functions.post(TASKS, own).code());
    assertEquals("task_cycle", command("create_task", own).code());
    assertEquals(200, command("archive_task", "{\"task_id\":\"t-1\"}").status());
    assertEquals(
        204,
        situation
            .functions
            .ask(
                "GET",
                TASKS + "/t-1/events",
                Map.of("Accept", "text/event-stream", "Last-Event-ID", "1000"),
                Optional.empty())
            .status());
  }

  @Test
  void jobsAreTakenWhereRunsWouldBe() throws Exception {
    assertEquals("task_not_found", job("none").code());
    assertEquals(202, job("t-1").status());
    for (int i = 1; i < TaskLimits.JOBS_MAX; i++) {
      assertEquals(202, job("t-1").status());
    }
    assertEquals("task_full", job("t-1").code());
    assertEquals(200, command("pause_task", "{\"task_id\":\"t-1\"}").status());
    assertEquals("task_blocked", job("t-1").code());
    assertEquals(200, command("cancel_task", "{\"task_id\":\"t-1\"}").status());
    assertEquals("task_closed", job("t-1").code());
  }

  private Exchange job(String task) throws Exception {
    return situation.functions.post(
        "/v1/jobs", "{\"task_id\":\"%s\",\"request\":{\"agent\":\"echo\"}}".formatted(task));
  }

  @Test
  void pagesHaveCursorsOfTheirOwn() throws Exception {
    assertEquals("invalid_cursor", situation.functions.ask("GET", TASKS + "?cursor=x").code());
    assertEquals("invalid_cursor", command("list_tasks", "{\"cursor\":\"x\"}").code());
  }

  private Exchange command(String name, String params) throws Exception {
    return situation.functions.post(
        "/v1/runtime/commands", "{\"command\":\"%s\",\"params\":%s}".formatted(name, params));
  }
}
