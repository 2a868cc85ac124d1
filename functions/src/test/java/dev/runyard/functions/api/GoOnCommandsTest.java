package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.artifact.SavedState;
import dev.runyard.core.artifact.SessionSnapshots;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.thread.QueuedTurn;
import dev.runyard.core.thread.ThreadChange;
import dev.runyard.core.thread.ThreadCodec;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.core.thread.ThreadLog;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.functions.Twins;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Threads that go on from what an earlier turn left.
final class GoOnCommandsTest {
  private static final String THREAD = "t-1";

  /// More than one page of a thread looks at.
  private static final int OTHER_RUNS = 510;

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);
  private final SessionSnapshots sessions = new SessionSnapshots(twins.artifacts, Runnable::run);

  @Test
  void takesTurnsBackOnceAndSaysWhich() {
    String a = taken("a");
    String b = taken("b");
    String c = taken("c");
    JsonNode back = outcome("done", rollback("a"));

    assertEquals(a, back.at("/result/turn/run_id").textValue());
    assertEquals(List.of(c, b), texts(back.at("/result/undone")));
    assertEquals(THREAD, back.at("/ids/thread_id").textValue());
    assertEquals("a", back.at("/ids/turn_id").textValue());
    assertEquals("/v1/threads/t-1/events", back.path("stream").textValue());
    assertEquals(new ThreadOrigin("a", a, List.of(c, b)), base());
    outcome("no_op", rollback("a"));
    assertEquals(back.path("sequence"), outcome("no_op", rollback("a")).path("sequence"));
  }

  @Test
  void laterTurnsGoOnFromThereUntilSomebodySaysOtherwise() {
    taken("a");
    String b = taken("b");
    outcome("done", rollback("a"));
    String c = submitted("c");
    assertEquals(List.of(b), base().undone(), "a change of the order keeps it");
    end(c);
    keep(c, "attempt-" + c);
    String d = taken("d");
    assertEquals(List.of(b), base().undone());

    outcome("done", rollback("c"));
    assertEquals(List.of(d, b), base().undone());
    assertEquals("unavailable", json(rollback("b")).path("outcome").textValue(), "forgotten");
    outcome("done", rollback("a"));
    assertEquals(List.of(d, c, b), base().undone());
  }

  @Test
  void aTurnThatWasTakenBackIsThereAgain() {
    taken("a");
    String b = taken("b");
    outcome("done", rollback("a"));
    JsonNode again = outcome("done", resume(",\"turn_id\":\"b\""));

    assertEquals(b, again.at("/result/turn/run_id").textValue());
    assertEquals(List.of(), base().undone());
    outcome("no_op", resume(""));
  }

  @Test
  void goesOnFromTheNewestThatIsKept() {
    String a = taken("a");
    String b = submitted("b");
    mark(b);
    end(b);
    assertEquals(a, outcome("no_op", resume("")).at("/result/turn/run_id").textValue());

    lost("c");
    JsonNode resumed = outcome("done", resume(""));
    assertEquals(a, resumed.at("/result/turn/run_id").textValue());
  }

  /// The next run of either agent would find what is lost.
  @Test
  void goesOnFromTheNewestOfEachAgent() {
    taken("a");
    String b = submitted("b");
    lose(b);
    String c = taken("c", "codex");

    JsonNode resumed = outcome("done", resume(""));
    assertEquals(c, resumed.at("/result/turn/run_id").textValue());
    assertEquals(List.of(b), texts(resumed.at("/result/undone")));
    outcome("no_op", resume(""));
  }

  @Test
  void anAgentOfWhichNothingIsKeptForgetsNothing() {
    lose(submitted("a"));
    String b = taken("b", "codex");

    JsonNode resumed = outcome("no_op", resume(""));
    assertEquals(b, resumed.at("/result/turn/run_id").textValue());
    assertEquals(List.of(), base().undone());
  }

  @Test
  void aTurnThatIsAboutToBeWrittenHoldsItsPlace() {
    taken("a");
    taken("b");
    String coming = twins.ids.runId(twins.clock.instant());
    ThreadKey thread = new ThreadKey(Identity.TENANT_DEFAULT, THREAD);
    var threads = new ThreadLog(twins.log, twins.clock, twins.ids, "test");
    var _ =
        threads.execute(
            thread,
            new ThreadChange.Take(
                threads.load(thread).sessionId(),
                threads.load(thread).sequence(),
                List.of(),
                new QueuedTurn("x", coming),
                Set.of()));

    assertEquals("thread_busy", json(rollback("a")).path("code").textValue());
    assertEquals(List.of(coming), threads.load(thread).runs());
    twins.clock.advance(Duration.ofSeconds(ThreadTurns.PLACE_SECONDS + 1));
    outcome("done", rollback("a"));
  }

  /// What is undone is not kept for longer than the fact that says so.
  @Test
  void aFactThatIsNotKeptAnyMoreUndoesNothing() {
    String a = taken("a");
    String b = taken("b");
    outcome("done", rollback("a"));
    String c = submitted("c");
    end(c);
    ThreadKey thread = new ThreadKey(Identity.TENANT_DEFAULT, THREAD);
    long newest = twins.events.chunkAt(thread, Long.MAX_VALUE).orElseThrow().first();
    assertEquals(List.of(b), base().undone());
    twins.events.expire(thread, newest);

    assertEquals(ThreadOrigin.NONE, base());
    JsonNode back = outcome("done", rollback("a"));
    assertEquals(a, back.at("/result/turn/run_id").textValue());
    assertEquals(List.of(c, b), texts(back.at("/result/undone")));
  }

  @Test
  void findsTurnsBehindManyOtherRunsOfTheSession() {
    String a = taken("a");
    String session = run(a).facts().request().sessionId();
    for (int i = 0; i < OTHER_RUNS; i++) {
      end(
          json(client.call(
                  post(
                      "/v1/runs",
                      "{\"agent\":\"pi\",\"prompt\":\"hi\",\"session_id\":\"%s\",\"thread_id\":\"t-2\"}"
                          .formatted(session))))
              .path("run_id")
              .textValue());
    }

    assertEquals(a, outcome("no_op", resume("")).at("/result/turn/run_id").textValue());
  }

  @Test
  void isUnavailableWhereNothingIsKept() {
    String a = submitted("a");
    end(a);

    JsonNode gone = outcome("unavailable", rollback("a"));
    assertEquals(a, gone.at("/ids/run_id").textValue());
    outcome("unavailable", resume(""));
    outcome("unavailable", resume(",\"turn_id\":\"a\""));
  }

  @Test
  void aThreadThatHasATurnIsLeftAsItIs() {
    taken("a");
    taken("b");
    submitted("c");

    assertEquals("thread_busy", json(rollback("a")).path("code").textValue());
    assertEquals("thread_busy", json(resume(",\"turn_id\":\"a\"")).path("code").textValue());
    assertEquals("thread_busy", json(rollback("c")).path("code").textValue());
    assertEquals(ThreadOrigin.NONE, base());
  }

  @Test
  void aKeyIsForTheThreadAsItWas() {
    taken("a");
    String b = taken("b");
    JsonNode first = outcome("done", rollback("a", "k-1"));
    assertEquals(first.path("result"), outcome("no_op", rollback("a", "k-1")).path("result"));
    assertEquals("idempotency_mismatch", json(rollback("b", "k-1")).path("code").textValue());

    String c = taken("c");
    assertEquals(List.of(b), texts(outcome("no_op", rollback("a", "k-1")).at("/result/undone")));
    assertEquals(List.of(b), base().undone());
    outcome("done", rollback("a", "k-2"));
    assertEquals(List.of(c, b), base().undone());
  }

  @Test
  void tellsWhatHappenedAsFactsOfTheThread() {
    String a = taken("a");
    String b = taken("b");
    outcome("done", rollback("a"));
    outcome("done", resume(",\"turn_id\":\"b\""));

    String all =
        twins.log.chunksAfter(new ThreadKey(Identity.TENANT_DEFAULT, THREAD), 0).stream()
            .flatMap(chunk -> chunk.events(ThreadCodec.THREADS).stream())
            .map(ThreadCodec.THREADS::json)
            .collect(Collectors.joining("\n"));
    assertEquals(1, count(all, "\"type\":\"history.rollback.started\""));
    assertEquals(1, count(all, "\"type\":\"history.rollback.completed\""));
    assertEquals(1, count(all, "\"type\":\"history.reconstructed\""));
    assertEquals(
        1,
        count(
            all,
            "\"payload\":{\"turnId\":\"a\",\"runId\":\"%s\",\"undone\":[\"%s\"]}".formatted(a, b)));
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  /// A turn that has ended and of which the agent's memory is kept.
  private String taken(String turn) {
    return taken(turn, "pi");
  }

  private String taken(String turn, String agent) {
    String run = submitted(turn, agent);
    keep(place(run, "attempt-" + run, agent));
    end(run);
    return run;
  }

  private void keep(String run, String attempt) {
    keep(place(run, attempt));
  }

  private void keep(SessionSnapshots.Place place) {
    var restored = sessions.without(base()::isUndone).restore(place, null, false, new Words());
    SavedState began =
        restored instanceof SessionSnapshots.Restored.Session session
            ? session.began(place.run())
            : null;
    var _ = sessions.settle(sessions.draft(place, "native", began, new Words()), true);
  }

  /// A turn whose agent's memory could not be kept.
  private void lost(String turn) {
    lose(submitted(turn));
  }

  private void lose(String run) {
    SessionSnapshots.Place place = place(run, "attempt-" + run);
    var restored = sessions.restore(place, null, false, new Words());
    SavedState began =
        restored instanceof SessionSnapshots.Restored.Session session
            ? session.began(place.run())
            : null;
    var _ = sessions.settle(sessions.draft(place, "native", began, new TooMuch()), true);
    end(run);
  }

  private void mark(String run) {
    var _ = sessions.restore(place(run, "attempt-" + run), null, false, new Words());
  }

  private static SessionSnapshots.Place place(String run, String attempt) {
    return place(run, attempt, "pi");
  }

  private static SessionSnapshots.Place place(String run, String attempt, String agent) {
    return new SessionSnapshots.Place(
        new RunKey(Identity.TENANT_DEFAULT, run), attempt, agent, "_" + THREAD);
  }

  private String submitted(String turn) {
    return submitted(turn, "pi");
  }

  private String submitted(String turn, String agent) {
    twins.clock.advance(Duration.ofSeconds(1));
    return json(client.call(
            post(
                "/v1/runs",
                "{\"agent\":\"%s\",\"prompt\":\"hi\",\"thread_id\":\"%s\",\"turn_id\":\"%s\"}"
                    .formatted(agent, THREAD, turn))))
        .path("run_id")
        .textValue();
  }

  private void end(String run) {
    RunKey key = new RunKey(Identity.TENANT_DEFAULT, run);
    twins.cancel().cancel(key, "test", "somebody");
    twins.advance().advance(key);
    twins.project().project(key);
  }

  private RunState.Existing run(String id) {
    return (RunState.Existing) twins.runs().load(new RunKey(Identity.TENANT_DEFAULT, id));
  }

  private ThreadOrigin base() {
    return twins.useCases.threadBase(new ThreadKey(Identity.TENANT_DEFAULT, THREAD));
  }

  private APIGatewayProxyResponseEvent rollback(String turn, String... key) {
    return command("rollback_thread", ",\"turn_id\":\"" + turn + "\"", key);
  }

  private APIGatewayProxyResponseEvent resume(String members) {
    return command("resume_thread", members);
  }

  private APIGatewayProxyResponseEvent command(String name, String members, String... key) {
    APIGatewayProxyRequestEvent request =
        post(
            "/v1/runtime/commands",
            "{\"command\":\"%s\",\"params\":{\"thread_id\":\"%s\"%s}}"
                .formatted(name, THREAD, members));
    if (key.length > 0) {
      Map<String, String> headers = new HashMap<>(request.getHeaders());
      headers.put("Idempotency-Key", key[0]);
      request.setHeaders(headers);
    }
    return client.call(request);
  }

  private static JsonNode outcome(String expected, APIGatewayProxyResponseEvent answer) {
    assertEquals(expected, json(answer).path("outcome").textValue(), answer.getBody());
    return json(answer);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.textValue()));
    return texts;
  }

  /// What an agent remembers: a word.
  private static class Words implements SessionSnapshots.Memory {
    @Override
    public byte[] pack(int bytesMax) throws IOException {
      return new byte[] {'w'};
    }

    @Override
    public void unpack(byte[] archive) {}
  }

  private static final class TooMuch extends Words {
    @Override
    public byte[] pack(int bytesMax) throws IOException {
      throw new IOException("more than " + bytesMax);
    }
  }
}
