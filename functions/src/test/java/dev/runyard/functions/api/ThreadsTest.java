package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.runtime.CommandNames;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ThreadsTest {
  private static final String TENANT = Identity.TENANT_DEFAULT;
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void aTurnIsMadeOnceHoweverOftenItIsSent() {
    String first = turn("t-1", "\"turn_id\":\"a\"");

    assertEquals(first, turn("t-1", "\"turn_id\":\"a\""));
    assertEquals("a", run(first).path("turn_id").textValue());
    assertEquals("t-1", run(first).path("thread_id").textValue());
    assertEquals(
        "idempotency_mismatch",
        refused(submit("\"thread_id\":\"t-1\",\"turn_id\":\"a\",\"tags\":{\"x\":\"y\"}")));
  }

  @Test
  void aRunThatNamesNoThreadIsInThatOfItsSession() {
    String run = json(submit("\"tags\":{}")).path("run_id").textValue();

    assertEquals("thread-" + run, run(run).path("thread_id").textValue());
    assertEquals("turn-" + run, run(run).path("turn_id").textValue());
    assertEquals(List.of(), twins.log.chunksAfter(new ThreadKey(TENANT, "thread-" + run), 0));
    assertEquals("queued", thread("thread-" + run).path("status").textValue());
  }

  @Test
  void threadsOfASessionRunSideBySideAndTheirTurnsOneByOne() {
    String one = turn("t-1", "\"session_id\":\"s-1\"");
    String two = turn("t-2", "\"session_id\":\"s-1\"");
    String behind = turn("t-1", "\"session_id\":\"s-1\"");

    assertEquals(List.of(key(one), key(two)), twins.queue.runs());
    assertEquals(one, thread("t-1").at("/turn/run_id").textValue());
    assertEquals(behind, thread("t-1").at("/queue/0/run_id").textValue());
    assertEquals("s-1", run(behind).path("session_id").textValue());
    assertEquals(
        "invalid_request", refused(submit("\"thread_id\":\"t-1\",\"session_id\":\"s-2\"")));
  }

  @Test
  void aThreadThatIsBusyRefusesWhoWillNotWait() {
    String reject = "\"busy\":\"reject\"";
    String first = turn("t-1", reject);

    assertEquals("thread_busy", refused(submit("\"thread_id\":\"t-1\"," + reject)));
    assertEquals(List.of(key(first)), twins.queue.runs());
    end(first);
    assertNotEquals(first, turn("t-1", reject));
  }

  @Test
  void whoInterruptsIsNextAndEndsTheRunningTurn() {
    String running = turn("t-1", "\"turn_id\":\"a\"");
    String waiting = turn("t-1", "\"turn_id\":\"b\"");
    begin(running);
    String urgent = turn("t-1", "\"turn_id\":\"c\",\"busy\":\"interrupt\"");

    assertEquals(List.of(urgent, waiting), queue("t-1"));
    assertEquals("cancelling", run(running).path("status").textValue());
    assertEquals(urgent, turn("t-1", "\"turn_id\":\"c\",\"busy\":\"interrupt\""));
    assertEquals("created", run(waiting).path("status").textValue());
  }

  @Test
  void whatSteersIsAMessageOnce() {
    String running = piTurn("\"turn_id\":\"a\"");
    String steered = piTurn("\"turn_id\":\"b\",\"busy\":\"steer\"");

    assertEquals(running, steered);
    assertEquals(running, piTurn("\"turn_id\":\"b\",\"busy\":\"steer\""));
    assertEquals(1, state(running).facts().interactions().inbox().size());
    assertEquals(
        "unsupported_capability",
        refused(submit("\"thread_id\":\"p-1\",\"busy\":\"steer\",\"turn_id\":\"x\"", "echo-1")));
  }

  @Test
  void promotesAndRemovesWhatWaits() {
    turn("t-1", "\"turn_id\":\"a\"");
    String b = turn("t-1", "\"turn_id\":\"b\"");
    String c = turn("t-1", "\"turn_id\":\"c\"");

    JsonNode promoted = done("promote_queued_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"c\"");
    assertEquals(c, promoted.at("/result/turns/1/run_id").textValue());
    assertEquals(
        "no_op", outcome("promote_queued_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"c\""));
    assertEquals(List.of(c, b), queue("t-1"));
    done("remove_queued_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"b\"");
    assertEquals(List.of(c), queue("t-1"));
    twins.advance().advance(key(b));
    assertEquals("cancelled", run(b).path("status").textValue());
    assertEquals(0, run(b).path("attempt").intValue());
    assertEquals(
        "turn_not_queued",
        refused(command("remove_queued_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"a\"")));
    assertEquals(
        "turn_not_queued",
        refused(command("promote_queued_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"b\"")));
    assertEquals(
        "turn_not_found",
        refused(command("promote_queued_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"z\"")));
    assertEquals(
        "thread_not_found",
        refused(command("promote_queued_turn", "\"thread_id\":\"t-9\",\"turn_id\":\"b\"")));
  }

  @Test
  void interruptingIsNothingWhereNothingRuns() {
    String a = turn("t-1", "\"turn_id\":\"a\"");
    String b = turn("t-1", "\"turn_id\":\"b\"");

    assertEquals(
        "accepted", outcome("interrupt_turn", "\"thread_id\":\"t-1\",\"queued\":\"clear\""));
    assertEquals("cancelling", run(a).path("status").textValue());
    assertEquals(List.of(), queue("t-1"));
    twins.advance().advance(key(a));
    twins.advance().advance(key(b));
    assertEquals("cancelled", run(b).path("status").textValue());
    assertEquals("no_op", outcome("interrupt_turn", "\"thread_id\":\"t-1\""));
    assertEquals("no_op", outcome("interrupt_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"a\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "turn-"})
  void findsATurnWhoseNameHasTheFormOfARunsId(String prefix) {
    String name = prefix + "01900000-0000-7000-8000-000000000001";
    String named = "\"thread_id\":\"t-1\",\"turn_id\":\"" + name + "\"";
    String run = turn("t-1", "\"turn_id\":\"" + name + "\"");
    end(run);

    assertEquals("no_op", outcome("interrupt_turn", named));
    assertEquals(run, json(command("interrupt_turn", named)).at("/ids/run_id").textValue());
    assertEquals(
        "no_op", outcome("interrupt_turn", "\"thread_id\":\"t-1\",\"turn_id\":\"" + run + "\""));
  }

  @Test
  void submitsByCommandAndSaysWhetherTheTurnWaits() {
    String params = "\"agent\":\"echo\",\"prompt\":\"hi\",\"thread_id\":\"t-1\",\"turn_id\":";
    JsonNode first = json(command("submit_turn", params + "\"a\""));

    assertEquals("accepted", first.path("outcome").textValue());
    assertEquals("a", first.at("/ids/turn_id").textValue());
    assertEquals(
        "/v1/runs/" + first.at("/ids/run_id").textValue() + "/events",
        first.path("stream").textValue());
    assertEquals("queued", outcome("submit_turn", params + "\"b\""));
    assertEquals(first, json(command("submit_turn", params + "\"a\"")));
    assertEquals(first.at("/ids/run_id").textValue(), turn("t-1", "\"turn_id\":\"a\""));
  }

  @Test
  void respondsToAnActionOnce() {
    RunKey run = twins.running();
    String action = ActionId.of(run, 1);
    twins.report(
        run, Question.of(action, ActionType.QUESTION, "Which?").asked(twins.clock.instant()));
    String answer = "\"action_id\":\"" + action + "\",\"decision\":\"answer\",\"payload\":\"this\"";

    assertEquals("done", outcome("respond_action", answer));
    assertEquals("action_decided", refused(command("respond_action", answer)));
    assertEquals(
        "action_not_found", refused(command("respond_action", answer.replace(".1\"", ".2\""))));
  }

  @Test
  void knowsEveryCommandAndSaysWhichDoNothing() {
    assertEquals(53, CommandNames.all().size());
    for (String name : CommandNames.UNAVAILABLE) {
      assertEquals("unavailable", outcome(name, "\"anything\":1"), name);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"command\":\"fly\"}; /command",
        "{\"params\":{}}; /command",
        "{\"command\":\"submit_turn\",\"params\":[]}; /params",
        "{\"command\":\"submit_turn\",\"more\":1}; /more",
        "{\"command\":\"submit_turn\",\"params\":{\"agent\":\"echo\",\"prompt\":1}}; /params/prompt",
        "{\"command\":\"submit_turn\",\"params\":{\"agent\":\"echo\",\"prompt\":\"x\",\"a\":1}}; /params/a",
        "{\"command\":\"interrupt_turn\",\"params\":{\"thread_id\":\"t\",\"queued\":\"x\"}}; /params/queued",
        "{\"command\":\"interrupt_turn\"}; /params/thread_id",
        "{\"command\":\"promote_queued_turn\",\"params\":{\"thread_id\":\"t\"}}; /params/turn_id",
        "{\"command\":\"respond_action\",\"params\":{}}; /params/action_id",
        "{\"command\":\"get_session\",\"params\":{\"session_id\":\"s\",\"limit\":0}}; /params/limit"
      })
  void pointsAtWhatIsWrongWithACommand(String body, String pointer) {
    APIGatewayProxyResponseEvent answer = client.call(post("/v1/runtime/commands", body));

    assertEquals(400, answer.getStatusCode());
    assertEquals(pointer, json(answer).at("/errors/0/pointer").textValue());
    assertEquals(List.of(), twins.events.streams());
  }

  @Test
  void aSessionIsWhole() {
    String one = turn("t-1", "\"session_id\":\"s-1\"");
    twins.clock.advance(Duration.ofMillis(1));
    String two = turn("t-2", "\"session_id\":\"s-1\"");
    twins.clock.advance(Duration.ofMillis(1));
    String three = json(submit("\"session_id\":\"s-1\"")).path("run_id").textValue();
    List.of(one, two, three).forEach(run -> twins.project().project(key(run)));

    JsonNode page = json(client.get("/v1/sessions/s-1", Map.of("limit", "2")));
    assertEquals(List.of(three, two), texts(page.path("turns"), "run_id"));
    JsonNode rest =
        json(
            client.get(
                "/v1/sessions/s-1",
                Map.of("limit", "2", "cursor", page.path("next_cursor").textValue())));
    assertEquals(List.of(one), texts(rest.path("turns"), "run_id"));
    assertEquals(List.of("thread-s-1", "t-2"), texts(page.path("threads"), "thread_id"));
    assertEquals(List.of(one), texts(thread("t-1").path("turns"), "run_id"));
    assertEquals("session_not_found", refused(client.get("/v1/sessions/s-2")));
    assertEquals("invalid_cursor", refused(client.get("/v1/threads/t-1", Map.of("cursor", "x"))));
    assertEquals(
        page, json(command("get_session", "\"session_id\":\"s-1\",\"limit\":2")).path("result"));
    assertEquals(
        thread("t-1"), json(command("get_thread_read", "\"thread_id\":\"t-1\"")).path("result"));
  }

  /// The rows of its runs are written a little later than the runs.
  @Test
  void aSessionHasTheTurnsThatWereJustSubmitted() {
    String one = turn("t-1", "\"session_id\":\"s-1\"");
    twins.project().project(key(one));
    twins.clock.advance(Duration.ofMillis(1));
    String two = turn("t-1", "\"session_id\":\"s-1\"");
    twins.clock.advance(Duration.ofMillis(1));
    String three = turn("t-1", "\"session_id\":\"s-1\"");

    assertEquals(List.of(three, two, one), texts(thread("t-1").path("turns"), "run_id"));
    assertEquals(
        List.of(three, two, one),
        texts(json(client.get("/v1/sessions/s-1")).path("turns"), "run_id"));
    JsonNode page = json(client.get("/v1/threads/t-1", Map.of("limit", "2")));
    assertEquals(List.of(three, two), texts(page.path("turns"), "run_id"));
    Map<String, String> rest = Map.of("cursor", page.path("next_cursor").textValue());
    assertEquals(
        List.of(one), texts(json(client.get("/v1/threads/t-1", rest)).path("turns"), "run_id"));
    String alone = json(submit("\"tags\":{}")).path("run_id").textValue();
    assertEquals(
        List.of(alone), texts(json(client.get("/v1/sessions/" + alone)).path("turns"), "run_id"));
  }

  @Test
  void aSessionIsThereWhoseTurnsAreAllInNamedThreads() {
    String run = turn("t-1", "\"session_id\":\"s-1\"");
    JsonNode session = json(client.get("/v1/sessions/s-1"));
    assertEquals(List.of("t-1"), texts(session.path("threads"), "thread_id"));
    assertEquals(List.of(run), texts(session.path("turns"), "run_id"));
    assertEquals(session, json(command("get_session", "\"session_id\":\"s-1\"")).path("result"));
  }

  private String piTurn(String members) {
    return json(client.call(
            post(
                "/v1/runs",
                "{\"agent\":\"pi\",\"prompt\":\"hi\",\"thread_id\":\"p-1\"," + members + "}")))
        .path("run_id")
        .textValue();
  }

  private APIGatewayProxyResponseEvent submit(String members, String session) {
    String body = "{\"agent\":\"echo\",\"prompt\":\"hi\",\"thread_id\":\"" + session + "\"}";
    client.call(post("/v1/runs", body));
    return client.call(
        post(
            "/v1/runs",
            "{\"agent\":\"echo\",\"prompt\":\"hi\"," + members.replace("p-1", session) + "}"));
  }

  private APIGatewayProxyResponseEvent submit(String members) {
    return client.call(post("/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\"," + members + "}"));
  }

  private String turn(String thread, String members) {
    APIGatewayProxyResponseEvent answer = submit("\"thread_id\":\"" + thread + "\"," + members);
    assertEquals(202, answer.getStatusCode(), answer.getBody());
    return json(answer).path("run_id").textValue();
  }

  private JsonNode run(String id) {
    return json(client.get("/v1/runs/" + id));
  }

  private JsonNode thread(String id) {
    APIGatewayProxyResponseEvent answer = client.get("/v1/threads/" + id);
    assertEquals(200, answer.getStatusCode(), answer.getBody());
    return json(answer);
  }

  private List<String> queue(String thread) {
    return texts(json(client.get("/v1/threads/" + thread + "/queue")).path("queue"), "run_id");
  }

  private static List<String> texts(JsonNode list, String member) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(item -> item.path(member).textValue())
        .toList();
  }

  private APIGatewayProxyResponseEvent command(String name, String params) {
    return client.call(
        post("/v1/runtime/commands", "{\"command\":\"" + name + "\",\"params\":{" + params + "}}"));
  }

  private String outcome(String name, String params) {
    APIGatewayProxyResponseEvent answer = command(name, params);
    assertEquals(200, answer.getStatusCode(), answer.getBody());
    return json(answer).path("outcome").textValue();
  }

  private JsonNode done(String name, String params) {
    APIGatewayProxyResponseEvent answer = command(name, params);
    assertEquals("done", json(answer).path("outcome").textValue(), answer.getBody());
    return json(answer);
  }

  private static String refused(APIGatewayProxyResponseEvent answer) {
    assertTrue(answer.getStatusCode() >= 400, answer.getBody());
    return json(answer).path("code").textValue();
  }

  private RunState.Existing state(String run) {
    return (RunState.Existing) twins.runs().load(key(run));
  }

  private void begin(String run) {
    twins
        .runs()
        .execute(
            key(run),
            new RunCommand.Claim("attempt-" + run, "runner", "ticket", twins.clock.instant()));
  }

  private void end(String run) {
    twins.cancel().cancel(key(run), "test", "somebody");
    twins.advance().advance(key(run));
  }

  private static RunKey key(String run) {
    return new RunKey(TENANT, run);
  }
}
