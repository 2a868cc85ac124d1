package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.task.TaskKey;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A stack on which one command is tried, with what it answered.
final class CommandWorld {
  private static final String TENANT = "default";

  final Twins twins = new Twins();
  private final Client client = new Client(twins);
  private final SessionSnapshots sessions = new SessionSnapshots(twins.artifacts, Runnable::run);
  private final Set<String> answers = new TreeSet<>();

  /// The outcomes and codes that [#says] has seen.
  Set<String> answers() {
    return answers;
  }

  /// Chunks that are stored.
  int stored() {
    return twins.events.changes(0).size();
  }

  /// Calls a command that must answer so: with an outcome, or with a code.
  JsonNode says(String expected, String name, String params, String... key) {
    APIGatewayProxyResponseEvent answer = command(name, params, key);
    JsonNode body = json(answer);
    boolean done = answer.getStatusCode() == 200;
    String said = body.path(done ? "outcome" : "code").asText();
    assertEquals(expected, said, () -> name + " " + params + ": " + answer.getBody());
    if (done) {
      assertEquals(name, body.path("command").textValue());
      assertTrue(body.has("ids") && body.has("stream") && body.has("sequence"), answer.getBody());
      assertTrue(body.has("result"), answer.getBody());
    }
    answers.add(said);
    return body;
  }

  APIGatewayProxyResponseEvent command(String name, String params, String... key) {
    return post(
        "/v1/runtime/commands",
        "{\"command\":\"%s\",\"params\":{%s}}".formatted(name, params),
        key);
  }

  APIGatewayProxyResponseEvent post(String path, String body, String... key) {
    APIGatewayProxyRequestEvent request = Client.post(path, body);
    Map<String, String> headers = new HashMap<>(request.getHeaders());
    if (key.length > 0) {
      headers.put("Idempotency-Key", key[0]);
    }
    return client.call(request.withHeaders(headers));
  }

  private JsonNode made(String path, String body) {
    APIGatewayProxyResponseEvent answer = post(path, body);
    assertTrue(answer.getStatusCode() < 300, answer.getBody());
    return json(answer);
  }

  /// A turn of the thread `t-1` in the session `s-1`.
  String turn(String agent, String name) {
    twins.clock.advance(Duration.ofSeconds(1));
    return made(
            "/v1/runs",
            """
            {"agent":"%s","prompt":"hi","session_id":"s-1","thread_id":"t-1","turn_id":"%s"}"""
                .formatted(agent, name))
        .path("run_id")
        .textValue();
  }

  void end(String run) {
    RunKey key = new RunKey(TENANT, run);
    twins.cancel().cancel(key, "test", "somebody");
    twins.advance().advance(key);
    twins.project().project(key);
  }

  void project(String run) {
    twins.project().project(new RunKey(TENANT, run));
  }

  /// A turn that has ended and of whose agent the memory is kept.
  void taken(String name) {
    String run = turn("pi", name);
    SessionSnapshots.Place place =
        new SessionSnapshots.Place(new RunKey(TENANT, run), "attempt-" + run, "pi", "_t-1");
    var restored = sessions.restore(place, null, false, new Word());
    var began =
        restored instanceof SessionSnapshots.Restored.Session session
            ? session.began(place.run())
            : null;
    var _ = sessions.settle(sessions.draft(place, "native", began, new Word()), true);
    end(run);
  }

  /// An action that waits for somebody.
  String asked() {
    RunKey run = twins.running();
    String action = ActionId.of(run, 1);
    twins.report(
        run, Question.of(action, ActionType.QUESTION, "Which?").asked(twins.clock.instant()));
    return action;
  }

  /// A job of two items, which are started if `started`.
  void job(boolean started) {
    made(
        "/v1/jobs",
        """
        {"job_id":"j1","request":{"agent":"echo"},"items":[{"prompt":"a"},{"prompt":"b"}]}""");
    if (started) {
      assertEquals(200, command("start_job", "\"job_id\":\"j1\"").getStatusCode());
      twins.useCases.jobs().advanceJob().advance(new JobKey(TENANT, "j1"), List.of());
    }
  }

  /// All items that run fail.
  void itemsFail() {
    List<RunState.Closed> ended = new ArrayList<>();
    JobKey job = new JobKey(TENANT, "j1");
    var jobs = twins.useCases.jobs();
    for (var active :
        jobs.manage().find(TENANT, "j1").orElseThrow().facts().items().active().values()) {
      ended.add(fails(new RunKey(TENANT, active.runId())));
    }
    jobs.advanceJob().advance(job, ended);
  }

  private RunState.Closed fails(RunKey run) {
    String attempt = "a-" + run.runId();
    twins.runs().execute(run, new RunCommand.Claim(attempt, "r", "t", twins.clock.instant()));
    twins
        .runs()
        .execute(
            run,
            new RunCommand.Report(
                attempt,
                List.of(
                    new RunEvent.ProcessStarted("p", "echo"),
                    new RunEvent.ProcessCompleted("p", 1, null, 5),
                    new RunEvent.AttemptFailed(
                        1, attempt, Failure.backend("agent_failed", "It failed.")))));
    return (RunState.Closed) twins.advance().advance(run);
  }

  /// A task that may be started, unless more says otherwise.
  void task(String id, String more) {
    made(
        "/v1/tasks",
        "{\"task_id\":\"%s\",\"title\":\"say hi\",\"request\":{\"agent\":\"echo\"}%s}"
            .formatted(id, more));
  }

  /// A runner has the task's run.
  void atWork(String id) {
    RunKey run = current(id);
    twins.runs().execute(run, new RunCommand.Claim("a-1", "r", "t", twins.clock.instant()));
  }

  /// The task's run fails, and the task is told.
  void taskFails(String id) {
    twins.useCases.tasks().advanceTask().told(fails(current(id)));
  }

  void advance(String id) {
    twins.useCases.tasks().advanceTask().advance(new TaskKey(TENANT, id), List.of());
  }

  private RunKey current(String id) {
    return new RunKey(
        TENANT, json(client.get("/v1/tasks/" + id)).path("current_run_id").textValue());
  }

  /// What an agent remembers: a word.
  private static final class Word implements SessionSnapshots.Memory {
    @Override
    public byte[] pack(int bytesMax) {
      return new byte[] {'w'};
    }

    @Override
    public void unpack(byte[] archive) {}
  }
}
