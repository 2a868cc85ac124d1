package dev.runyard.core.view.agentapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RunCompletionTest {
  private static final Failure FAILURE = Failure.backend("agent_failed", "It broke.");
  private static final RunEvent EXITED = new RunEvent.ProcessCompleted("p-1", 0, null, 5);

  @Test
  void existsOnlyAfterTheTerminalEvent() {
    List<StoredEvent> all =
        Stored.started(
            new RunEvent.ModelDelta("done"),
            new RunEvent.ModelCompleted(),
            EXITED,
            new RunEvent.AttemptCompleted(1, "a-1"),
            new RunEvent.TurnCompleted(),
            new RunEvent.TaskCompleted());
    for (int i = 1; i < all.size(); i++) {
      assertEquals(Optional.empty(), RunCompletion.of(folded(all.subList(0, i))));
    }

    ObjectNode json = RunCompletion.of(folded(all)).orElseThrow();
    assertEquals(all.size(), json.path("sequence").intValue());
    assertEquals(JsonFormat.time(all.getLast().timestamp()), json.path("timestamp").textValue());
  }

  @Test
  void carriesExitTextAndSessionOfASuccess() {
    ObjectNode json =
        completion(
            new RunEvent.SessionUpdated("native-1"),
            new RunEvent.ModelDelta("done"),
            new RunEvent.ModelCompleted(),
            EXITED,
            new RunEvent.AttemptCompleted(1, "a-1"),
            new RunEvent.TaskCompleted());

    assertEquals("{\"code\":0,\"signal\":null}", json.path("status").toString());
    assertEquals("done", json.path("final_text").textValue());
    assertEquals("native-1", json.at("/data/session/id").textValue());
    assertTrue(json.path("error").isNull());
    assertEquals(0, json.path("processes_left").intValue());
  }

  @Test
  void saysExactlyCancelledWhateverElseWentWrong() {
    ObjectNode json =
        completion(
            new RunEvent.CancelRequested("enough"),
            new RunEvent.RuntimeError("agent_failed", "It broke."),
            new RunEvent.ProcessTerminated("p-1", "cancelled", 2),
            new RunEvent.ProcessCompleted("p-1", null, 9, 5),
            new RunEvent.AttemptFailed(1, "a-1", FAILURE),
            new RunEvent.TurnFailed(FAILURE),
            new RunEvent.TaskCancelled("enough"));

    assertEquals(
        "{\"kind\":\"Backend\",\"message\":\"cancelled\",\"display\":\"backend error: cancelled\"}",
        json.path("error").toString());
    assertEquals(2, json.path("processes_left").intValue());
    assertTrue(json.path("final_text").isNull());
  }

  @Test
  void reportsAFailureByItsMessage() {
    ObjectNode json = failed(FAILURE);

    assertEquals("Backend", json.at("/error/kind").textValue());
    assertEquals("It broke.", json.at("/error/message").textValue());
    assertTrue(json.path("final_text").isNull());
  }

  @Test
  void reportsARefusalByTheRunnerAsAnInvalidRequest() {
    ObjectNode json =
        failed(new Failure("invalid_request", Category.CALLER, "invalid agent_api.x.dirs[1]"));

    assertEquals("InvalidRequest", json.at("/error/kind").textValue());
    assertEquals(
        "invalid request: invalid agent_api.x.dirs[1]", json.at("/error/display").textValue());
  }

  @Test
  void hasNoStatusWhereNothingWasStarted() {
    List<StoredEvent> queued = new ArrayList<>(Stored.started().subList(0, 3));
    queued.add(
        new StoredEvent(
            Stored.RUN,
            "s-1",
            null,
            4,
            queued.getLast().timestamp(),
            new RunEvent.TaskFailed(FAILURE)));

    assertTrue(RunCompletion.of(folded(queued)).orElseThrow().path("status").isNull());
  }

  @Test
  void boundsTheFinalText() {
    List<RunEvent> events = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      events.add(new RunEvent.ModelDelta("a".repeat(Limits.TEXT_BYTES_MAX)));
    }
    events.add(new RunEvent.ModelCompleted());
    events.add(EXITED);
    events.add(new RunEvent.AttemptCompleted(1, "a-1"));
    events.add(new RunEvent.TaskCompleted());

    String text = completion(events.toArray(RunEvent[]::new)).path("final_text").textValue();

    assertEquals(Limits.TEXT_BYTES_MAX, Bounds.bytes(text));
    assertTrue(text.endsWith(Bounds.TRUNCATED));
  }

  @Test
  void leavesOutASessionWhoseIdIsTooLong() {
    ObjectNode json =
        completion(
            new RunEvent.SessionUpdated("a".repeat(1025)),
            EXITED,
            new RunEvent.AttemptCompleted(1, "a-1"),
            new RunEvent.TaskCompleted());

    assertTrue(json.path("data").isNull());
  }

  private static ObjectNode failed(Failure failure) {
    return completion(
        new RunEvent.ProcessCompleted("p-1", 1, null, 5),
        new RunEvent.AttemptFailed(1, "a-1", failure),
        new RunEvent.TurnFailed(failure),
        new RunEvent.TaskFailed(failure));
  }

  private static ObjectNode completion(RunEvent... events) {
    return RunCompletion.of(folded(Stored.started(events))).orElseThrow();
  }

  /// The state those events fold to, encoded and decoded as a snapshot.
  private static RunState folded(List<StoredEvent> events) {
    RunState state = RunFold.fold(RunState.absent(), events);
    return SnapshotCodec.decode(SnapshotCodec.encode((RunState.Existing) state));
  }
}
