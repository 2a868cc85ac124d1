package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.client.RunServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TasksCommandTest {
  private static final String TASK =
      """
      {"task_id":"t-1","title":"Say it","status":"blocked","status_reason":"blocked_by t-0",\
      "attempts":[{"attempt":1,"run_id":"r-1","status":"failed","last_error":{"message":"It failed."}}],\
      "relationships":[{"kind":"blocked_by","to":"t-0","status":"active"}]}""";
  private static final String ANSWER =
      "{\"command\":\"c\",\"outcome\":\"queued\",\"ids\":{},\"stream\":null,\"sequence\":1,\"result\":%s}"
          .formatted(TASK);

  private final RunServer server = new RunServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private Cli.Outcome run(String... words) {
    return new Cli().with("RUNYARD_URL", server.uri().toString()).run(words);
  }

  @Test
  void sendsCommands() {
    server.on("POST /v1/runtime/commands", 200, ANSWER);
    Cli.Outcome created =
        run(
            "task",
            "create",
            "Say it",
            "--id",
            "t-1",
            "--agent",
            "echo",
            "--manual",
            "--parent",
            "t-9",
            "--tag",
            "a=b");
    assertEquals("queued\nt-1  blocked (blocked_by t-0)  Say it\n", created.out(), created.err());
    run("task", "start", "t-1");
    run("task", "retry", "t-1", "flaky");
    run("task", "link", "t-1", "blocks", "t-2");
    run("task", "complete", "t-1", "--summary", "done");

    assertEquals(
        List.of(
            "{\"command\":\"create_task\",\"params\":{\"task_id\":\"t-1\",\"title\":\"Say it\",\"parent_task_id\":\"t-9\",\"acceptance\":\"manual\",\"request\":{\"agent\":\"echo\",\"tags\":{\"a\":\"b\"}}}}",
            "{\"command\":\"start_task\",\"params\":{\"task_id\":\"t-1\"}}",
            "{\"command\":\"retry_task\",\"params\":{\"task_id\":\"t-1\",\"reason\":\"flaky\"}}",
            "{\"command\":\"link_tasks\",\"params\":{\"task_id\":\"t-1\",\"kind\":\"blocks\",\"to\":\"t-2\"}}",
            "{\"command\":\"complete_task\",\"params\":{\"task_id\":\"t-1\",\"summary\":\"done\"}}"),
        server.requests().stream().map(RunServer.Request::body).toList());
  }

  @Test
  void saysWhatCannotBeDone() {
    server.on(
        "POST /v1/runtime/commands",
        200,
        "{\"command\":\"pause_task\",\"outcome\":\"unavailable\",\"result\":{\"unavailable\":{\"message\":\"It is at work.\"}}}");
    Cli.Outcome paused = run("task", "pause", "t-1");

    assertEquals(ExitCode.FAILED, paused.exit());
    assertTrue(paused.err().contains("It is at work."), paused.err());
  }

  @Test
  void showsAndLists() {
    server.on("GET /v1/tasks/t-1", 200, TASK);
    server.on("GET /v1/tasks", 200, "{\"tasks\":[%s],\"next_cursor\":null}".formatted(TASK));
    Cli.Outcome shown = run("task", "show", "t-1");

    assertEquals(
        List.of(
            "t-1  blocked (blocked_by t-0)  Say it",
            "run 1  r-1  failed  It failed.",
            "blocked_by  t-0  active"),
        shown.out().lines().toList());
    assertEquals("t-1  blocked (blocked_by t-0)  Say it\n", run("task", "list").out());
    run("task", "list", "--status", "failed,lost");
    assertEquals("GET /v1/tasks?limit=20&status=failed%2Clost", server.requests().getLast().line());
  }
}
