package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a task may not be, and the place in the body that a refusal names.
final class TaskRefusalsTest {
  private final TaskRequestReader reader = reader((_, _) -> Optional.empty());

  private static TaskRequestReader reader(SubmitRun.Check check) {
    return new TaskRequestReader(new RunRequestReader(AgentCatalog.builtIn()), check);
  }

  private static Optional<Problem> problem(TaskRequestReader.Result<?> result) {
    return result.map(_ -> Optional.empty(), Optional::of);
  }

  private static <T> T value(TaskRequestReader.Result<T> result) {
    return result.map(
        Function.identity(),
        problem -> {
          throw new AssertionError(problem.toString());
        });
  }

  private static ObjectNode with(String members) {
    ObjectNode body = TaskRig.body("t1");
    body.setAll(TaskRig.json(members));
    return body;
  }

  private void assertRefused(String pointer, ObjectNode body) {
    assertEquals(
        Optional.of(List.of(pointer)), problem(reader.create("acme", body)).map(Problem::pointers));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"task_id\":\"a b\"}; /task_id",
        "{\"task_id\":\"..\"}; /task_id",
        "{\"parent_task_id\":\"a/b\"}; /parent_task_id",
        "{\"title\":null}; /title",
        "{\"title\":\" \"}; /title",
        "{\"objective\":\"\"}; /objective",
        "{\"visibility\":\"loud\"}; /visibility",
        "{\"acceptance\":\"nobody\"}; /acceptance",
        "{\"priority\":101}; /priority",
        "{\"draft\":\"yes\"}; /draft",
        "{\"constraints\":\"fast\"}; /constraints",
        "{\"constraints\":[\"fast\",7]}; /constraints/1",
        "{\"session_id\":\"-s\"}; /session_id",
        "{\"thread_id\":\"-t\"}; /thread_id",
        "{\"remote\":\"a2a\"}; /remote",
        "{\"remote\":{}}; /remote/task_id",
        "{\"remote\":{\"task_id\":\" \"}}; /remote/task_id",
        "{\"remote\":{\"task_id\":\"r\",\"protocol\":\" \"}}; /remote/protocol",
        "{\"request\":\"echo\"}; /request",
        "{\"request\":{\"agent\":\"nobody\"}}; /request/agent",
        "{\"request\":{\"agent\":\"echo\",\"turn_id\":\"turn-1\"}}; /request/turn_id",
        "{\"request\":{\"agent\":\"echo\",\"busy\":\"reject\"}}; /request/busy",
        "{\"more\":1}; /more"
      })
  void namesTheMemberThatIsWrong(String members, String pointer) {
    assertRefused(pointer, with(members));
  }

  @ParameterizedTest
  @ValueSource(strings = {"title", "task_kind", "task_family", "owner", "assignee"})
  void aNameHasAsManyBytesAsItMay(String member) {
    assertLongest(member, TaskLimits.NAME_BYTES_MAX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"objective", "scope"})
  void aTextHasAsManyBytesAsItMay(String member) {
    assertLongest(member, TaskLimits.TEXT_BYTES_MAX);
  }

  private void assertLongest(String member, int bytes) {
    assertEquals(
        Optional.empty(),
        problem(reader.create("acme", TaskRig.body("t1").put(member, "x".repeat(bytes)))));
    assertRefused("/" + member, TaskRig.body("t1").put(member, "x".repeat(bytes + 1)));
  }

  @Test
  void aConstraintHasAsManyBytesAsItMay() {
    String longest = "x".repeat(TaskLimits.NAME_BYTES_MAX);
    ObjectNode body = TaskRig.body("t1");
    body.putArray("constraints").add("fast").add(longest);

    assertEquals(
        List.of("fast", longest), value(reader.create("acme", body)).terms().constraints());
    body.putArray("constraints").add("fast").add(longest + "x");
    assertRefused("/constraints/1", body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"task_id", "protocol"})
  void aNameOfAnotherSystemHasAsManyBytesAsItMay(String member) {
    String longest = "x".repeat(TaskLimits.NAME_BYTES_MAX);
    ObjectNode body = TaskRig.body("t1");
    ObjectNode remote = body.putObject("remote").put("task_id", "r-1").put(member, longest);

    assertEquals(Optional.empty(), problem(reader.create("acme", body)));
    remote.put(member, longest + "x");
    assertRefused("/remote/" + member, body);
  }

  @Test
  void namesTheMemberOfTheRequestThatNamesWhatIsNotThere() {
    Problem unknown = Problem.at(ProblemCode.INVALID_REQUEST, Pointer.of("tags"), "No such tag.");
    TaskRequestReader refusing = reader((_, _) -> Optional.of(unknown));

    assertEquals(
        Optional.of(List.of("/request/tags")),
        problem(refusing.create("acme", TaskRig.body("t1"))).map(Problem::pointers));
  }

  @Test
  void anUpdateLeavesWhatItDoesNotNameAndNamesNoPlace() {
    TaskFacts task = FoldedTask.accepted().facts();

    NewTask read = value(reader.update(task, TaskRig.json("{\"owner\":\"me\"}")));

    assertEquals("me", read.terms().owner());
    assertEquals(task.terms().title(), read.terms().title());
    assertEquals(task.terms().sessionId(), read.terms().sessionId());
    for (String place : List.of("session_id", "thread_id", "task_id", "parent_task_id")) {
      Optional<Problem> problem =
          problem(reader.update(task, TaskRig.json("{\"%s\":\"other\"}".formatted(place))));
      assertTrue(problem.isPresent(), place);
      assertEquals(List.of("/" + place), problem.get().pointers());
    }
  }
}
