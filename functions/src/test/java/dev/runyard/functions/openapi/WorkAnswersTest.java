package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.access.Identity;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobCommand;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobLimits;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.testkit.openapi.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers of commands and jobs, which take requests for runs as a submit does.
final class WorkAnswersTest {
  private static final String FIRST = "{\"job_id\":\"j-1\",\"item\":1}";
  private static final String COMMANDS = "/v1/runtime/commands";
  private static final String JOB = "/v1/jobs/j-1";
  private static final String ITEMS = JOB + "/items";

  private final Situation situation = new Situation();

  @AfterEach
  void close() {
    situation.close();
  }

  @Test
  void refuseWhatASubmitRefuses() throws Exception {
    String upload = uploadBegun();
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
            from("{\"upload\":{\"id\":\"%s\"}}".formatted(upload)),
            "upload_not_found",
            from("{\"upload\":{\"id\":\"%s\"}}".formatted(upload.replaceAll("-[0-9]+", "-1"))));
    List<String> others = new ArrayList<>();
    for (var one : wrong.entrySet()) {
      String request = "{\"prompt\":\"hi\",%s}".formatted(one.getValue());
      for (Exchange answer : asked(situation, request)) {
        if (!answer.code().equals(one.getKey())) {
          others.add(one.getKey() + ": " + answer);
        }
      }
    }

    assertEquals(List.of(), others);
  }

  @Test
  void haveTheCeilingsOfASubmit() throws Exception {
    Quotas limits = Quotas.parse("{\"default\": {\"timeout_seconds_max\": 60}}");
    try (Situation limited = new Situation(limits)) {
      String request = "{\"agent\":\"echo\",\"prompt\":\"hi\",\"timeout_seconds\":61}";
      for (Exchange answer : asked(limited, request)) {
        assertEquals("above_ceiling", answer.code(), answer::toString);
      }
    }
    Quotas counted = Quotas.parse("{\"default\": {\"minute_submits_max\": 3}}");
    try (Situation limited = new Situation(counted)) {
      assertEquals("quota_reached", turn(limited, "\"agent\":\"echo\",\"prompt\":\"hi\"").code());
    }
  }

  @Test
  void aThreadHasOneTurnAndRoomForSoManyMore() throws Exception {
    String members = "\"agent\":\"echo\",\"prompt\":\"hi\",\"thread_id\":\"t-1\"";
    assertEquals(200, turn(situation, members).status());

    assertEquals("thread_busy", turn(situation, members + ",\"busy\":\"reject\"").code());
    for (int i = 1; i < TurnOrder.SESSION_RUNS_MAX; i++) {
      assertEquals(200, turn(situation, members).status());
    }
    assertEquals("session_full", turn(situation, members).code());
  }

  @Test
  void aTurnIsSteeredWhileItListens() throws Exception {
    String steer = steering("t-1");
    String id =
        JsonFormat.JSON
            .readTree(situation.functions.post("/v1/runs", steer).text())
            .path("run_id")
            .textValue();
    RunKey run = new RunKey(Identity.TENANT_DEFAULT, id);
    var _ =
        situation
            .twins
            .runs()
            .execute(
                run, new RunCommand.Claim("a-1", "r-1", "t-1", situation.twins.clock.instant()));
    situation.twins.report(run, new RunEvent.ProcessStarted("p-1", "pi"));
    for (int i = 0; i < Limits.MESSAGES_MAX; i++) {
      Exchange told =
          situation.functions.post("/v1/runs/" + id + "/messages", "{\"content\":\"hi\"}");
      assertEquals(202, told.status());
    }

    assertEquals("inbox_full", command(situation, "submit_turn", steer).code());
    assertEquals("inbox_full", situation.functions.post("/v1/runs", steer).code());
    assertEquals(202, situation.functions.post("/v1/runs/" + id + "/cancel", "{}").status());
    assertEquals("run_closed", command(situation, "submit_turn", steer).code());
    assertEquals("run_closed", situation.functions.post("/v1/runs", steer).code());
  }

  private static String steering(String thread) {
    return "{\"agent\":\"pi\",\"prompt\":\"hi\",\"thread_id\":\"%s\",\"busy\":\"steer\"}"
        .formatted(thread);
  }

  @Test
  void namesAreTakenOnce() throws Exception {
    String first = "\"agent\":\"echo\",\"turn_id\":\"t\",\"thread_id\":\"t-1\",\"prompt\":\"hi\"";
    assertEquals(200, turn(situation, first).status());

    assertEquals("idempotency_mismatch", turn(situation, first.replace("hi", "ho")).code());
    String added = "{\"items\":[{\"prompt\":\"%s\"}]}";
    assertEquals(202, keyed(ITEMS, added.formatted("a")).status());
    assertEquals("idempotency_mismatch", keyed(ITEMS, added.formatted("b")).code());
    assertEquals(202, retried(1).status());
    assertEquals("item_not_failed", command(situation, "retry_job_item", FIRST).code());
    assertEquals(202, retried(1).status());
    assertEquals("idempotency_mismatch", retried(2).code());
    assertEquals(202, keyed(JOB + "/cancel", "{\"reason\":\"a\"}").status());
    assertEquals("idempotency_mismatch", keyed(JOB + "/cancel", "{\"reason\":\"b\"}").code());
    Map<String, String> key = Map.of("Idempotency-Key", "k");
    assertEquals(
        "idempotency_mismatch",
        situation.functions.ask("POST", JOB + "/start", key, Optional.empty()).code());
  }

  @Test
  void readsByCommand() throws Exception {
    assertEquals(
        "session_not_found", command(situation, "get_session", "{\"session_id\":\"none\"}").code());
    String session = situation.asks.runId();
    assertEquals(
        "invalid_cursor",
        command(
                situation,
                "get_session",
                "{\"session_id\":\"%s\",\"cursor\":\"x\"}".formatted(session))
            .code());
  }

  @Test
  void aJobTakesSoManyAdditions() throws Exception {
    String more = "{\"items\":[{\"prompt\":\"more\"}]}";
    Exchange added = situation.functions.post(ITEMS, more);
    for (int i = 0; added.status() == 202 && i < JobLimits.ADDITIONS_MAX; i++) {
      added = situation.functions.post(ITEMS, more);
    }

    assertEquals("job_full", added.code());
  }

  @Test
  void anItemIsRunSoOften() throws Exception {
    String retry = ITEMS + "/1/retry";
    Exchange retried = situation.functions.ask("POST", retry);
    for (int attempt = 2; retried.status() == 202; attempt++) {
      failAgain(attempt);
      retried = situation.functions.ask("POST", retry);
    }

    assertEquals("job_full", retried.code());
    assertEquals("job_full", command(situation, "retry_job_item", FIRST).code());
    String other = FIRST.replace("1}", "9}");
    assertEquals("item_not_found", command(situation, "retry_job_item", other).code());
    assertEquals(
        "item_not_found", situation.functions.post(ITEMS + "/9/report", "{\"note\":\"n\"}").code());
  }

  private void failAgain(int attempt) {
    JobCases jobs = situation.twins.useCases.jobs();
    JobKey job = new JobKey(Identity.TENANT_DEFAULT, situation.job);
    Failure why = Failure.backend("echo_failed", "The run asked the echo to fail.");
    JobCommand.Begin begin = new JobCommand.Begin(1, attempt, Situation.NO_RUN, null, why);
    var _ =
        jobs.log()
            .execute(
                job,
                jobs.log().load(job),
                new JobCommand.Advance(List.of(), List.of(begin), situation.twins.clock.instant()));
  }

  @Test
  void aJobThatHasEndedTakesNothing() throws Exception {
    assertEquals(202, situation.functions.post("/v1/jobs/j-1/cancel", "{}").status());

    assertEquals("job_closed", situation.functions.ask("POST", "/v1/jobs/j-1/start").code());
    assertEquals("job_closed", command(situation, "retry_job_item", FIRST).code());
    String none = FIRST.replace("j-1", "none");
    assertEquals("job_not_found", command(situation, "retry_job_item", none).code());
    assertEquals("job_closed", situation.functions.ask("POST", ITEMS + "/1/retry").code());
    assertEquals(
        "job_closed", situation.functions.post(ITEMS + "/1/report", "{\"note\":\"n\"}").code());
    assertEquals(
        204,
        situation
            .functions
            .ask(
                "GET",
                "/v1/jobs/j-1/events",
                Map.of("Accept", "text/event-stream", "Last-Event-ID", "1000"),
                Optional.empty())
            .status());
  }

  private String uploadBegun() throws Exception {
    String order =
        "{\"size_bytes\":1,\"sha256\":\"%s\",\"format\":\"zip\"}"
            .formatted(HexFormat.of().formatHex(Digest.of(new byte[] {1})));
    return JsonFormat.JSON
        .readTree(situation.functions.post("/v1/uploads", order).text())
        .path("upload_id")
        .textValue();
  }

  private static String from(String workspace) {
    return "\"agent\":\"codex\",\"workspace\":" + workspace;
  }

  /// The request as a turn, as an item of a new job and as one of a job that is there.
  private static List<Exchange> asked(Situation situation, String request) throws Exception {
    return List.of(
        command(situation, "submit_turn", request),
        situation.functions.post(
            "/v1/jobs",
            "{\"request\":{\"agent\":\"echo\",\"prompt\":\"x\"},\"items\":[%s]}"
                .formatted(request)),
        situation.functions.post(ITEMS, "{\"items\":[%s]}".formatted(request)));
  }

  private static Exchange turn(Situation situation, String members) throws Exception {
    return command(situation, "submit_turn", "{" + members + "}");
  }

  private static Exchange command(Situation situation, String name, String params)
      throws Exception {
    return situation.functions.post(
        COMMANDS, "{\"command\":\"%s\",\"params\":%s}".formatted(name, params));
  }

  private Exchange retried(int item) throws Exception {
    return situation.functions.ask(
        "POST",
        ITEMS + "/%d/retry".formatted(item),
        Map.of("Idempotency-Key", "retry"),
        Optional.empty());
  }

  private Exchange keyed(String path, String body) throws Exception {
    return situation.functions.ask(
        "POST",
        path,
        Map.of("Content-Type", "application/json", "Idempotency-Key", "k"),
        Optional.of(body.getBytes(StandardCharsets.UTF_8)));
  }
}
