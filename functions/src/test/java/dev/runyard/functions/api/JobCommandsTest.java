package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobProgress;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.Twins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs by the commands of the Agent Runtime standard.
final class JobCommandsTest {
  private static final JobKey JOB = new JobKey("default", "j1");
  private static final String TWO =
      "\"job_id\":\"j1\",\"session_id\":\"s-1\",\"request\":{\"agent\":\"echo\"},\"items\":[{\"prompt\":\"a\"},{\"prompt\":\"b\"}]";
  private static final String ONE = "\"job_id\":\"j1\"";

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  private APIGatewayProxyResponseEvent command(String name, String params, String key) {
    APIGatewayProxyRequestEvent request =
        post("/v1/runtime/commands", "{\"command\":\"" + name + "\",\"params\":{" + params + "}}");
    Map<String, String> headers = new HashMap<>(request.getHeaders());
    if (!key.isEmpty()) {
      headers.put("Idempotency-Key", key);
    }
    return client.call(request.withHeaders(headers));
  }

  private JsonNode done(String outcome, String name, String params, String key) {
    APIGatewayProxyResponseEvent answer = command(name, params, key);
    assertEquals(200, answer.getStatusCode(), answer.getBody());
    assertEquals(name, json(answer).path("command").textValue());
    assertEquals(outcome, json(answer).path("outcome").textValue(), answer.getBody());
    return json(answer);
  }

  private void refused(int status, String code, String name, String params) {
    APIGatewayProxyResponseEvent answer = command(name, params, "");
    assertEquals(code, json(answer).path("code").textValue(), answer.getBody());
    assertEquals(status, answer.getStatusCode());
  }

  private void endAll(boolean well) {
    List<RunState.Closed> ended = new ArrayList<>();
    var jobs = twins.useCases.jobs();
    jobs.advanceJob().advance(JOB, List.of());
    for (JobProgress.Active active :
        jobs.manage().find("default", "j1").orElseThrow().facts().items().active().values()) {
      RunKey run = new RunKey("default", active.runId());
      String attempt = "a-" + active.runId();
      twins.runs().execute(run, new RunCommand.Claim(attempt, "r", "t", twins.clock.instant()));
      twins
          .runs()
          .execute(
              run,
              new RunCommand.Report(
                  attempt,
                  List.of(
                      new RunEvent.ProcessStarted("p", "echo"),
                      new RunEvent.ProcessCompleted("p", well ? 0 : 1, null, 5),
                      well
                          ? new RunEvent.AttemptCompleted(1, attempt)
                          : new RunEvent.AttemptFailed(
                              1, attempt, Failure.backend("agent_failed", "It failed.")))));
      ended.add((RunState.Closed) twins.advance().advance(run));
    }
    jobs.advanceJob().advance(JOB, ended);
  }

  @Test
  void aJobIsCreatedStartedMendedAndEnded() {
    JsonNode created = done("done", "create_job", TWO, "");
    assertEquals("j1", created.at("/ids/job_id").textValue());
    assertEquals("s-1", created.at("/ids/session_id").textValue());
    assertEquals("/v1/jobs/j1/events", created.path("stream").textValue());
    assertEquals(2, created.path("sequence").asInt());
    assertEquals(2, created.at("/result/counts/pending").asInt());
    assertEquals(created, done("done", "create_job", TWO, ""));
    String more = ONE + ",\"items\":[{\"prompt\":\"c\"}]";
    assertEquals(3, done("done", "add_job_items", more, "k").at("/result/counts/total").asInt());
    assertEquals(3, done("done", "add_job_items", more, "k").at("/result/counts/total").asInt());
    done("accepted", "start_job", ONE, "");
    done("no_op", "start_job", ONE, "");
    endAll(false);

    String first = ONE + ",\"item\":1";
    assertEquals(
        "1", done("accepted", "retry_job_item", first, "r").at("/ids/job_item_id").textValue());
    done("no_op", "retry_job_item", first, "r");
    done("done", "report_job_item", ONE + ",\"item\":2,\"note\":\"known\"", "n");
    done("no_op", "report_job_item", ONE + ",\"item\":2,\"note\":\"known\"", "n");
    done("done", "report_job_item", ONE + ",\"item\":3,\"note\":\"known\"", "");
    endAll(true);

    assertEquals("completed", done("done", "get_job", ONE, "").at("/result/status").textValue());
    assertEquals(1, done("done", "list_jobs", "\"limit\":1", "").at("/result/jobs").size());
    done("no_op", "cancel_job", ONE, "");
    refused(409, "job_closed", "start_job", ONE);
  }

  @Test
  void whatIsBeingCancelledIsNotCancelledAgain() {
    done("done", "create_job", TWO, "");
    done("accepted", "start_job", ONE, "");
    twins.useCases.jobs().advanceJob().advance(JOB, List.of());

    done("accepted", "cancel_job", ONE + ",\"reason\":\"enough\"", "");
    done("no_op", "cancel_job", ONE, "");
  }

  @Test
  void startsAndCancelsOnceForAKey() {
    done("done", "create_job", TWO, "");
    done("accepted", "start_job", ONE, "s");
    done("accepted", "cancel_job", ONE + ",\"reason\":\"enough\"", "c");

    done("no_op", "start_job", ONE, "s");
    done("no_op", "cancel_job", ONE + ",\"reason\":\"enough\"", "c");
    for (String name : List.of("start_job", "cancel_job")) {
      APIGatewayProxyResponseEvent other = command(name, ONE, "c");
      assertEquals(422, other.getStatusCode(), other.getBody());
      assertEquals("idempotency_mismatch", json(other).path("code").textValue());
    }
  }

  @Test
  void aKeyLeadsToTheSameJobByEitherWay() {
    String body = "{\"request\":{\"agent\":\"echo\",\"prompt\":\"hi\"},\"items\":[{}]}";
    APIGatewayProxyRequestEvent native_ = post("/v1/jobs", body);
    Map<String, String> headers = new HashMap<>(native_.getHeaders());
    headers.put("Idempotency-Key", "k");
    JsonNode made = json(client.call(native_.withHeaders(headers)));

    JsonNode again =
        done("done", "create_job", body.substring(1, body.length() - 1), "k").path("result");

    assertEquals(made, again);
    APIGatewayProxyResponseEvent other =
        command("create_job", "\"request\":{\"agent\":\"echo\"}", "k");
    assertEquals("idempotency_mismatch", json(other).path("code").textValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "create_job; ; /params/request",
        "create_job; \"request\":{\"agent\":\"echo\"},\"items\":[{\"prompt\":7}]; /params/items/0/prompt",
        "create_job; \"request\":{\"agent\":\"echo\"},\"more\":1; /params/more",
        "create_job; \"job_id\":\"j\",\"session_id\":\"j\",\"request\":{\"agent\":\"echo\"}; /params/session_id",
        "add_job_items; \"items\":[]; /params/job_id",
        "start_job; \"job_id\":7; /params/job_id",
        "start_job; \"job_id\":\"j1\",\"more\":1; /params/more",
        "cancel_job; \"job_id\":\"j1\",\"reason\":\" \"; /params/reason",
        "retry_job_item; \"job_id\":\"j1\"; /params/item",
        "retry_job_item; \"job_id\":\"j1\",\"item\":\"1\"; /params/item",
        "report_job_item; \"job_id\":\"j1\",\"item\":1; /params/note",
        "list_jobs; \"limit\":0; /params/limit",
        "get_job; ; /params/job_id"
      })
  void pointsAtWhatIsWrong(String name, String params, String pointer) {
    APIGatewayProxyResponseEvent answer = command(name, params == null ? "" : params, "");

    assertEquals(400, answer.getStatusCode(), answer.getBody());
    assertEquals(pointer, json(answer).at("/errors/0/pointer").textValue(), answer.getBody());
    assertEquals(List.of(), twins.events.streams());
  }

  @Test
  void refusesWhatTheResourceRefuses() {
    done("done", "create_job", TWO, "");
    String none = "\"job_id\":\"none\"";
    for (String name : List.of("start_job", "cancel_job", "get_job")) {
      refused(404, "job_not_found", name, none);
    }
    refused(404, "job_not_found", "add_job_items", none + ",\"items\":[{\"prompt\":\"x\"}]");
    refused(404, "job_not_found", "retry_job_item", none + ",\"item\":1");
    refused(404, "item_not_found", "retry_job_item", ONE + ",\"item\":9");
    refused(409, "item_not_failed", "retry_job_item", ONE + ",\"item\":1");
    refused(409, "item_not_failed", "report_job_item", ONE + ",\"item\":1,\"note\":\"n\"");
    refused(400, "invalid_cursor", "list_jobs", "\"cursor\":\"x\"");
    APIGatewayProxyResponseEvent wrong =
        command("add_job_items", ONE + ",\"items\":[{\"prompt\":\"\"}]", "");
    assertEquals("/params/items/0/prompt", json(wrong).at("/errors/0/pointer").textValue());
    assertTrue(json(wrong).path("detail").textValue().contains("Item 1"));
  }
}
