package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.thread.ThreadKey;
import dev.runyard.functions.api.Client;
import dev.runyard.functions.stream.StreamRig.Frame;
import dev.runyard.functions.stream.StreamRig.Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What readers of each kind of log are told besides its events.
final class ToldFactsTest {
  private static final String TENANT = "default";
  private final StreamRig rig = new StreamRig();
  private final Client client = new Client(rig.twins);

  @AfterEach
  void stop() {
    rig.close();
  }

  enum Kind {
    RUN,
    THREAD,
    TASK,
    JOB
  }

  /// A log with several chunks, which goes on.
  private record Log(String path, StreamKey key, Runnable next) {}

  @ParameterizedTest
  @EnumSource
  void tellsOnceThatTheHistoryIsThere(Kind kind) throws Exception {
    Log log = log(kind);
    try (Stream stream = rig.stream(log.path() + "/events?told=all")) {
      List<Frame> history = new ArrayList<>();
      Frame frame = stream.any();
      while (frame != null && !frame.told()) {
        history.add(frame);
        frame = stream.any();
      }
      assertNotNull(frame);
      JsonNode fact = json(frame);
      assertEquals("history.window.loaded", frame.type());
      assertEquals("", frame.id(), "the client still resumes after the last event");
      assertEquals(0, fact.at("/payload/after").intValue());
      assertEquals(history.size(), fact.at("/payload/events").intValue());
      assertEquals(history.getLast().id(), fact.path("sequence").asText());
      assertEquals(json(history.getFirst()).path("sessionId"), fact.path("sessionId"));
      assertEquals(log.key().id(), fact.path("eventId").asText().split("\\.", 2)[0]);
    }
  }

  /// A client that expects nothing but events has nothing else, unless it asks or reads in the view
  /// of the strict profile.
  @ParameterizedTest
  @EnumSource
  void tellsOfTheHistoryOnlyWhoKnowsThat(Kind kind) throws Exception {
    Log log = log(kind);
    long last = page(log, "").path("next_after").longValue();
    for (String query : List.of("?view=lime&told=all", "?view=lime")) {
      assertEquals("history.window.loaded", afterTheHistory(log, query, last), query);
    }
    log.next().run();
    for (String query : List.of("", "?told=gaps", "?view=lime&told=gaps")) {
      try (Stream stream = rig.stream(log.path() + "/events" + query)) {
        for (long sequence = 1; sequence <= last + 1; sequence++) {
          assertEquals(String.valueOf(sequence), stream.anyway().id(), query);
        }
      }
    }
    assertEquals(400, rig.get(log.path() + "/events?told=some").statusCode());
  }

  private String afterTheHistory(Log log, String query, long last) throws Exception {
    try (Stream stream = rig.stream(log.path() + "/events" + query)) {
      Stream.ids(stream.next((int) last));
      return stream.anyway().type();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReaderThatHasAllIsToldSoUnderItsOwnId(Kind kind) throws Exception {
    Log log = log(kind);
    String last = page(log, "").path("next_after").asText();

    try (Stream stream = rig.stream(log.path() + "/events?told=all", "Last-Event-ID", last)) {
      Frame frame = stream.any();
      assertNotNull(frame);
      assertEquals("history.window.loaded", frame.type());
      assertEquals(last, frame.id());
      assertEquals(0, json(frame).at("/payload/events").intValue());
    }
  }

  @ParameterizedTest
  @EnumSource
  void tellsWhatIsNotKept(Kind kind) throws Exception {
    Log log = log(kind);
    JsonNode all = page(log, "").path("events");
    long kept = expired(log);

    for (String view : List.of("runtime", "lime")) {
      try (Stream stream = rig.stream(log.path() + "/events?view=" + view)) {
        Frame expired = stream.any();
        Frame repaired = stream.any();
        assertNotNull(expired);
        assertNotNull(repaired);
        assertEquals("output.expired", expired.type());
        assertEquals("0", expired.id());
        assertEquals(0, json(expired).at("/payload/after").longValue());
        assertEquals(kept, json(expired).at("/payload/first").longValue());
        assertEquals("snapshot.repaired", repaired.type());
        assertEquals(log.path(), json(repaired).at("/payload/snapshot").textValue());
        assertEquals("expired", json(repaired).at("/payload/reason").textValue());
        assertEquals(
            view.equals("lime") ? "lime-profile-0.4.0" : "1",
            json(repaired).path("schemaVersion").textValue());
        assertEquals(String.valueOf(kept), Stream.ids(stream.next(1)).getFirst());
      }
    }
    JsonNode page = page(log, "");
    assertEquals("output.expired", page.at("/told/0/type").textValue());
    assertEquals("snapshot.repaired", page.at("/told/1/type").textValue());
    assertEquals(kept, page.at("/events/0/sequence").longValue());
    assertEquals(all.size() - kept + 1, page.path("events").size());
    assertTrue(page(log, "?after=" + (kept - 1)).path("told").isMissingNode());
  }

  @ParameterizedTest
  @EnumSource
  void goesOnWithWhatIsKept(Kind kind) throws Exception {
    Log log = log(kind);
    long kept = expired(log);
    assertTrue(kept > 2, "a cursor within what is gone");

    JsonNode page = page(log, "?after=1");
    assertEquals(kept, page.at("/events/0/sequence").longValue());
    assertEquals(1, page.at("/told/0/payload/after").longValue());
  }

  @ParameterizedTest
  @EnumSource
  void tellsAReaderThatHasSeenMoreThanThereIs(Kind kind) throws Exception {
    Log log = log(kind);
    long last = page(log, "").path("next_after").longValue();

    try (Stream stream = rig.stream(log.path() + "/events?after=" + (last + 50))) {
      Frame frame = stream.any();
      assertNotNull(frame);
      assertEquals("snapshot.repaired", frame.type());
      assertEquals(String.valueOf(last + 50), frame.id());
      assertEquals("ahead", json(frame).at("/payload/reason").textValue());
      assertEquals(last, json(frame).at("/payload/last").longValue());
    }
    JsonNode page = page(log, "?after=" + (last + 50));
    assertEquals("ahead", page.at("/told/0/payload/reason").textValue());
    assertEquals(last + 50, page.path("next_after").longValue());
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"THREAD", "TASK", "JOB"})
  void tellsThatItReadsDifferentlyNow(Kind kind) throws Exception {
    Log log = log(kind);
    long last = page(log, "").path("next_after").longValue();
    rig.whenQuiet(log.next());

    try (Stream stream = rig.stream(log.path() + "/events?told=all&after=" + (last - 1))) {
      Frame frame = stream.any();
      List<String> told = new ArrayList<>();
      while (frame != null && !frame.type().equals("snapshot.updated")) {
        told.add(frame.id() + frame.type());
        frame = stream.any();
      }
      assertNotNull(frame);
      assertTrue(told.contains("history.window.loaded"), told::toString);
      assertEquals("", frame.id());
      assertEquals(log.path(), json(frame).at("/payload/snapshot").textValue());
      assertTrue(json(frame).path("sequence").longValue() > last);
    }
  }

  @Test
  void aRunReadsDifferentlyWhenItsStateChanges() throws Exception {
    RunKey run = rig.twins.running();
    try (Stream stream = rig.stream(StreamRig.events(run, "?told=all&after=4"))) {
      assertEquals("5", stream.next(1).getFirst().id());
      rig.ticks.awaitPaused(1);
      rig.twins.report(run, new RunEvent.ModelDelta("x"));
      rig.ticks.tick();
      rig.ticks.awaitPaused(1);
      rig.twins.report(run, new RunEvent.ProcessCompleted("p-1", 0, null, 5));
      rig.twins.report(run, new RunEvent.AttemptCompleted(1, "a-1"));
      rig.ticks.tick();

      List<String> told = new ArrayList<>();
      Frame frame = stream.any();
      while (frame != null && !frame.type().equals("snapshot.updated")) {
        told.add(frame.type());
        frame = stream.any();
      }
      assertNotNull(frame);
      assertEquals(
          List.of(
              "history.window.loaded",
              "model.delta",
              "process.completed",
              "task.attempt.completed"),
          told);
      assertEquals("/v1/runs/" + run.runId(), json(frame).at("/payload/snapshot").textValue());
      assertEquals(8, json(frame).path("sequence").intValue());
    }
  }

  /// A stored event of that name says what an agent left in its workspace.
  @Test
  void noLogHasWhatIsTold() throws Exception {
    Log log = log(Kind.THREAD);
    JsonNode before = page(log, "").path("events");
    try (Stream stream = rig.stream(log.path() + "/events?told=all")) {
      Frame frame = stream.any();
      while (frame != null && !frame.told()) {
        frame = stream.any();
      }
      assertNotNull(frame);
    }
    assertEquals(before, page(log, "").path("events"));
  }

  @Test
  void aThreadWithoutEventsIsToldToo() throws Exception {
    RunKey run = rig.twins.submitted();
    RunKey alone =
        new RunKey(
            TENANT,
            Client.json(
                    client.call(Client.post("/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\"}")))
                .path("run_id")
                .textValue());
    assertFalse(run.equals(alone));
    try (Stream stream = rig.stream("/v1/threads/thread-" + alone.runId() + "/events?told=all")) {
      Frame frame = stream.any();
      assertNotNull(frame);
      assertEquals("history.window.loaded", frame.type());
      assertEquals(alone.runId(), json(frame).path("sessionId").textValue());
      assertEquals(0, json(frame).path("sequence").intValue());
    }
  }

  @Test
  void otherProtocolsHaveNoFormForIt() throws Exception {
    Log log = log(Kind.RUN);
    expired(log);
    for (String view : List.of("agent_api", "hub", "acp")) {
      JsonNode page = page(log, "?view=" + view);
      assertTrue(page.path("told").isMissingNode(), view);
    }
  }

  private long expired(Log log) throws Exception {
    JsonNode events = page(log, "").path("events");
    long last = events.get(events.size() - 1).path("sequence").longValue();
    long first = rig.twins.events.chunkAt(log.key(), last).orElseThrow().first();
    rig.twins.events.expire(log.key(), first);
    return first;
  }

  private Log log(Kind kind) {
    return switch (kind) {
      case RUN -> {
        RunKey run = rig.twins.running();
        yield new Log(
            "/v1/runs/" + run.runId(),
            run,
            () -> rig.twins.report(run, new RunEvent.ModelDelta("x")));
      }
      case THREAD -> {
        rig.twins.submitted("s-7");
        rig.twins.submitted("s-7");
        yield new Log(
            "/v1/threads/thread-s-7",
            new ThreadKey(TENANT, "thread-s-7"),
            () -> rig.twins.submitted("s-7"));
      }
      case TASK -> {
        post("/v1/tasks", "{\"task_id\":\"t1\",\"title\":\"say hi\"}");
        command("append_task_progress", "\"task_id\":\"t1\",\"message\":\"x\",\"percent\":1");
        yield new Log(
            "/v1/tasks/t1",
            new TaskKey(TENANT, "t1"),
            () ->
                command(
                    "append_task_progress", "\"task_id\":\"t1\",\"message\":\"x\",\"percent\":2"));
      }
      case JOB -> {
        post(
            "/v1/jobs",
            "{\"job_id\":\"j1\",\"request\":{\"agent\":\"echo\"},\"items\":[{\"prompt\":\"a\"}]}");
        post("/v1/jobs/j1/items", "{\"items\":[{\"prompt\":\"b\"}]}");
        yield new Log(
            "/v1/jobs/j1",
            new JobKey(TENANT, "j1"),
            () -> post("/v1/jobs/j1/items", "{\"items\":[{\"prompt\":\"c\"}]}"));
      }
    };
  }

  private void command(String name, String params) {
    post("/v1/runtime/commands", "{\"command\":\"%s\",\"params\":{%s}}".formatted(name, params));
  }

  private void post(String path, String body) {
    var answer = client.call(Client.post(path, body));
    assertTrue(answer.getStatusCode() < 300, answer.getBody());
  }

  private JsonNode page(Log log, String query) throws Exception {
    return JsonFormat.JSON.readTree(rig.get(log.path() + "/events" + query).body());
  }

  private static JsonNode json(Frame frame) throws Exception {
    return JsonFormat.JSON.readTree(frame.data());
  }
}
