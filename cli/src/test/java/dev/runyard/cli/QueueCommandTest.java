package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.client.RunServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class QueueCommandTest {
  private static final String THREAD =
      """
      {"thread_id":"t-1","session_id":"s-1","status":"running",\
      "turn":{"turn_id":"a","thread_id":"t-1","run_id":"run-1","status":"in-progress","phase":"running"},\
      "queue":[{"position":1,"turn_id":"b","run_id":"run-2"}],"sequence":3%s}""";
  private static final String DONE =
      """
      {"command":"c","outcome":"done","ids":{},"stream":null,"sequence":0,"result":null}""";

  private final RunServer server = new RunServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void showsWhoHasTheTurnAndWhoWaits() {
    server.on("GET /v1/threads/t-1/queue", 200, THREAD.formatted(""));
    Cli.Outcome shown = run("queue", "show", "t-1");

    assertEquals(ExitCode.DONE, shown.exit(), shown.err());
    assertEquals(
        List.of(
            "thread t-1 of session s-1: running",
            "now   run-1  a  in-progress",
            "1     run-2  b  waiting"),
        shown.out().lines().toList());
  }

  @Test
  void showsTheTurnsThatWere() {
    server.on(
        "GET /v1/threads/t-1",
        200,
        THREAD.formatted(
            ",\"turns\":[{\"turn_id\":\"z\",\"run_id\":\"run-0\",\"status\":\"completed\"}],\"next_cursor\":null"));
    Cli.Outcome shown = run("thread", "t-1");

    assertEquals(ExitCode.DONE, shown.exit(), shown.err());
    assertTrue(shown.out().contains("run-0  z  completed"), shown.out());
  }

  @Test
  void sendsCommands() {
    server.on("POST /v1/runtime/commands", 200, DONE);
    assertEquals("done\n", run("queue", "promote", "t-1", "b").out());
    assertEquals("done\n", run("queue", "remove", "t-1", "b").out());
    assertEquals("done\n", run("queue", "interrupt", "t-1", "--clear").out());

    assertEquals(
        List.of(
            "{\"command\":\"promote_queued_turn\",\"params\":{\"turn_id\":\"b\",\"thread_id\":\"t-1\"}}",
            "{\"command\":\"remove_queued_turn\",\"params\":{\"turn_id\":\"b\",\"thread_id\":\"t-1\"}}",
            "{\"command\":\"interrupt_turn\",\"params\":{\"queued\":\"clear\",\"thread_id\":\"t-1\"}}"),
        server.requests().stream().map(RunServer.Request::body).toList());
  }

  @Test
  void goesOnFromAnEarlierTurn() {
    server.on(
        "POST /v1/runtime/commands",
        200,
        """
        {"command":"c","outcome":"done","ids":{},"stream":null,"sequence":5,"result":\
        {"thread_id":"t-1","session_id":"s-1","turn":{"turn_id":"a","thread_id":"t-1",\
        "run_id":"run-1","status":"completed","phase":"completed"},"undone":["run-3","run-2"]}}""");
    Cli.Outcome back = run("thread", "rollback", "t-1", "a");

    assertEquals(ExitCode.DONE, back.exit(), back.err());
    assertEquals(
        List.of("done  run-1  a  completed", "undone  run-3", "undone  run-2"),
        back.out().lines().toList());
    assertEquals(ExitCode.DONE, run("thread", "resume", "t-1").exit());
    assertEquals(ExitCode.DONE, run("thread", "resume", "t-1", "run-3").exit());
    assertEquals(
        List.of(
            "{\"command\":\"rollback_thread\",\"params\":{\"turn_id\":\"a\",\"thread_id\":\"t-1\"}}",
            "{\"command\":\"resume_thread\",\"params\":{\"thread_id\":\"t-1\"}}",
            "{\"command\":\"resume_thread\",\"params\":{\"turn_id\":\"run-3\",\"thread_id\":\"t-1\"}}"),
        server.requests().stream().map(RunServer.Request::body).toList());
  }

  @Test
  void saysThatNothingIsKept() {
    server.on("POST /v1/runtime/commands", 200, DONE.replace("done", "unavailable"));

    assertEquals(ExitCode.FAILED, run("thread", "rollback", "t-1", "a").exit());
    assertEquals(ExitCode.USAGE, run("thread").exit());
    assertEquals(ExitCode.USAGE, run("thread", "rollback", "t-1").exit());
  }

  private Cli.Outcome run(String... words) {
    return new Cli().with("RUNYARD_URL", server.uri().toString()).run(words);
  }
}
