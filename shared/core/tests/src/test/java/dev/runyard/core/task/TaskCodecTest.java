package dev.runyard.core.task;

import static dev.runyard.core.task.FoldedTask.AT;
import static dev.runyard.core.task.FoldedTask.REQUEST;
import static dev.runyard.core.task.FoldedTask.TASK;
import static dev.runyard.core.task.FoldedTask.TERMS;
import static dev.runyard.core.task.FoldedTask.WHY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.Requester;
import dev.runyard.core.json.JsonFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The JSON form of a task's events.
final class TaskCodecTest {
  private static StoredTaskEvent stored(TaskEvent event) {
    return new StoredTaskEvent(TASK, "s-1", 3, AT, event, new Requester("key:k1", "request-7"));
  }

  private static JsonNode json(TaskCodec codec, TaskEvent event) throws Exception {
    return JsonFormat.JSON.readTree(codec.json(stored(event)));
  }

  private static void assertReadAgain(TaskEvent event) {
    List<StoredTaskEvent> events = List.of(stored(event));
    assertEquals(events, TaskCodec.TASKS.decode(TASK, TaskCodec.TASKS.encode(events)));
  }

  @Test
  void tellsWhereItHappenedAndWhoAskedForIt() throws Exception {
    JsonNode json = json(TaskCodec.TASKS, new TaskEvent.Paused("later"));

    assertEquals("task.paused", json.path("type").textValue());
    assertEquals("s-1", json.path("sessionId").textValue());
    assertEquals("t1", json.path("taskId").textValue());
    assertEquals("key:k1", json.path("actor").textValue());
    assertEquals("request-7", json.path("requestId").textValue());
    assertFalse(json.has("runId"));
    assertFalse(json.has("jobId"));
    assertReadAgain(new TaskEvent.Paused("later"));
  }

  @Test
  void tellsOfTheRunAndAttemptThatEnded() throws Exception {
    TaskEvent ended =
        new TaskEvent.AttemptFailed(1, "run-1", "attempt-1", TaskStatus.FAILED, WHY, null);
    JsonNode json = json(TaskCodec.TASKS, ended);

    assertEquals("run-1", json.path("runId").textValue());
    assertEquals("attempt-1", json.path("attemptId").textValue());
    assertReadAgain(ended);
    assertFalse(
        json(TaskCodec.TASKS, new TaskEvent.AttemptCompleted(1, "run-1", null)).has("attemptId"));
  }

  @Test
  void tellsOfWhatItIsDelegatedTo() throws Exception {
    TaskEvent job = new TaskEvent.JobAdded("j1");
    TaskEvent remote = new TaskEvent.Delegated(new RemoteTask("a2a", "r-1", null, null));

    assertEquals("j1", json(TaskCodec.TASKS, job).path("jobId").textValue());
    assertEquals("task.delegated", json(TaskCodec.TASKS, job).path("type").textValue());
    assertEquals("task.delegated", json(TaskCodec.TASKS, remote).path("type").textValue());
    assertReadAgain(job);
    assertReadAgain(remote);
  }

  /// A run that is tried again and a task that is are told by the same type.
  @ParameterizedTest
  @CsvSource({
    "QUEUED, task.queued",
    "PREPARING, task.queued",
    "RUNNING, task.started",
    "RETRYING, task.retrying",
    "PAUSED, task.waiting",
    "WAITING_INPUT, task.waiting"
  })
  void tellsHowARunIsDoing(TaskStatus status, String type) throws Exception {
    TaskEvent moved = new TaskEvent.Moved("run-1", status, "attempt-1", 7, null);

    assertEquals(type, json(TaskCodec.TASKS, moved).path("type").textValue());
    assertReadAgain(moved);
    assertReadAgain(new TaskEvent.Retrying("better"));
  }

  @Test
  void keepsEventsOfTypesThatItDoesNotKnow() throws Exception {
    TaskEvent other =
        new TaskEvent.Other("task.renamed", JsonNodeFactory.instance.objectNode().put("name", "n"));

    assertEquals("task.renamed", json(TaskCodec.TASKS, other).path("type").textValue());
    assertReadAgain(other);
    assertEquals("n", json(TaskCodec.TOLD, other).path("payload").path("name").textValue());
  }

  /// A request may have secrets.
  @Test
  void tellsNoRequests() throws Exception {
    var request = JsonNodeFactory.instance.objectNode().put("agent", "echo");
    List<TaskEvent> events =
        List.of(
            new TaskEvent.Created(TERMS, request),
            new TaskEvent.Updated(TERMS, request),
            new TaskEvent.Blocked(List.of("t2"), REQUEST, "later"),
            new TaskEvent.AttemptStarted(1, "run-1", "better", REQUEST));
    for (TaskEvent event : events) {
      assertTrue(json(TaskCodec.TASKS, event).toString().contains("echo"));
      assertFalse(json(TaskCodec.TOLD, event).toString().contains("echo"));
      assertReadAgain(event);
    }
    JsonNode blocked = json(TaskCodec.TOLD, events.get(2)).path("payload");
    assertEquals("t2", blocked.path("by").path(0).textValue());
    assertEquals("later", blocked.path("reason").textValue());
    JsonNode started = json(TaskCodec.TOLD, events.get(3)).path("payload");
    assertEquals(1, started.path("attempt").intValue());
    assertEquals("better", started.path("reason").textValue());
    assertEquals(
        "write it",
        json(TaskCodec.TOLD, events.get(0))
            .path("payload")
            .path("terms")
            .path("title")
            .textValue());
  }

  @Test
  void namesTheTypesOfItsEventsInOrder() {
    List<String> types = TaskCodec.types();

    assertEquals(types.stream().distinct().sorted().toList(), types);
    assertTrue(
        types.containsAll(
            List.of(
                "task.created",
                "task.queued",
                "task.started",
                "task.waiting",
                "task.retrying",
                "task.delegated",
                "task.archived")));
  }
}
