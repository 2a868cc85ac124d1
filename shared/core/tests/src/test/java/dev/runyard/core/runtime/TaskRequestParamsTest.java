package dev.runyard.core.runtime;

import static dev.runyard.core.runtime.Commands.object;
import static dev.runyard.core.runtime.Commands.refused;
import static dev.runyard.core.runtime.Commands.task;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.task.EdgeKind;
import dev.runyard.core.task.TaskFilter;
import dev.runyard.core.task.TaskLimits;
import dev.runyard.core.task.TaskProgress;
import dev.runyard.core.task.TaskStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskRequestParamsTest {
  @Test
  void leavesWhatATaskIsToWhereItIsCreatedAndChanged() {
    assertEquals(
        new TaskRequest.CreateTask(object("{'title':'t','whatever':1}")),
        task("create_task", "{'title':'t','whatever':1}"));
    assertEquals(
        new TaskRequest.UpdateTask("k-1", object("{'title':'t','whatever':1}")),
        task("update_task", "{'task_id':'k-1','title':'t','whatever':1}"));
  }

  @Test
  void readsCommandsThatHaveNoMoreThanATask() {
    assertEquals(new TaskRequest.GetTask("k-1"), task("get_task", "{'task_id':'k-1'}"));
    assertEquals(new TaskRequest.ResumeTask("k-1"), task("resume_task", "{'task_id':'k-1'}"));
    assertEquals(new TaskRequest.ArchiveTask("k-1"), task("archive_task", "{'task_id':'k-1'}"));
  }

  static List<String> ofOneTask() {
    return TaskRequestParams.NAMES.stream()
        .filter(name -> !Set.of("create_task", "list_tasks").contains(name))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("ofOneTask")
  void needsATask(String name) {
    refused(name, "{}", "/params/task_id", "task_id is required");
  }

  @ParameterizedTest
  @ValueSource(strings = {"update_task", "start_task", "cancel_task", "link_tasks"})
  void needsTheIdOfATask(String name) {
    refused(name, "{'task_id':'a/b'}", "/params/task_id", "task_id is not the id of a task");
  }

  @Test
  void readsWhichTasksAreListed() {
    assertEquals(
        new TaskRequest.ListTasks(
            new RuntimeCommand.Window(20, Optional.empty(), "runtime"), TaskFilter.ALL),
        task("list_tasks", "{}"));
    assertEquals(
        new TaskRequest.ListTasks(
            new RuntimeCommand.Window(5, Optional.of("c"), "runtime"),
            new TaskFilter(Set.of(TaskStatus.RUNNING, TaskStatus.FAILED))),
        task("list_tasks", "{'limit':5,'cursor':'c','status':'running,failed'}"));

    refused("list_tasks", "{'status':'nonsense'}", "/params/status", TaskFilter.FORM);
    refused("list_tasks", "{'view':'lime'}", "/params/view");
  }

  @Test
  void startsATaskWithItsOwnRequestOrMembersThatReplaceIt() {
    assertEquals(new TaskRequest.StartTask("k-1", null), task("start_task", "{'task_id':'k-1'}"));
    assertEquals(
        new TaskRequest.StartTask("k-1", object("{'prompt':'hi'}")),
        task("start_task", "{'task_id':'k-1','request':{'prompt':'hi'}}"));
    assertEquals(
        new TaskRequest.RetryTask("k-1", "flaky", object("{'prompt':'hi'}")),
        task("retry_task", "{'task_id':'k-1','reason':'flaky','request':{'prompt':'hi'}}"));

    refused(
        "start_task",
        "{'task_id':'k-1','request':'hi'}",
        "/params/request",
        "request must be an object");
  }

  @Test
  void tellsWhyOnlyIfItIsSaid() {
    assertEquals(
        new TaskRequest.PauseTask("k-1", "lunch"),
        task("pause_task", "{'task_id':'k-1','reason':'lunch'}"));
    assertEquals(
        new TaskRequest.PauseTask("k-1", CancelRequestReader.REASON_DEFAULT),
        task("pause_task", "{'task_id':'k-1'}"));
    assertEquals(
        new TaskRequest.CancelTask("k-1", "enough"),
        task("cancel_task", "{'task_id':'k-1','reason':'enough'}"));
    assertEquals(
        new TaskRequest.CompleteTask("k-1", "done"),
        task("complete_task", "{'task_id':'k-1','summary':'done'}"));
    assertEquals(
        new TaskRequest.CompleteTask("k-1", null), task("complete_task", "{'task_id':'k-1'}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail_task", "retry_task"})
  void hasToBeToldWhyATaskFailedOrIsTriedAgain(String name) {
    refused(name, "{'task_id':'k-1'}", "/params/reason", "reason is required");
  }

  @Test
  void takesATextThatIsNeitherBlankNorTooLong() {
    String longest = "é".repeat(Limits.REASON_BYTES_MAX / 2);

    assertEquals(
        new TaskRequest.FailTask("k-1", longest),
        task("fail_task", "{'task_id':'k-1','reason':'%s'}".formatted(longest)));
    for (String reason : List.of("", " ", longest + "a")) {
      refused(
          "fail_task",
          "{'task_id':'k-1','reason':'%s'}".formatted(reason),
          "/params/reason",
          "reason must not be blank and must have at most 4096 bytes");
    }
    refused(
        "retry_task",
        "{'task_id':'k-1','reason':'%s'}"
            .formatted("a".repeat(TaskLimits.RETRY_REASON_BYTES_MAX + 1)),
        "/params/reason",
        "reason must not be blank and must have at most 1024 bytes");
  }

  @Test
  void readsHowFarATaskIs() {
    assertEquals(
        new TaskRequest.Progress("k-1", new TaskProgress("half", 50)),
        task("append_task_progress", "{'task_id':'k-1','message':'half','percent':50}"));
    assertEquals(
        new TaskRequest.Progress("k-1", new TaskProgress("begun", null)),
        task("append_task_progress", "{'task_id':'k-1','message':'begun'}"));

    refused(
        "append_task_progress",
        "{'task_id':'k-1','percent':50}",
        "/params/message",
        "message is required");
    refused(
        "append_task_progress",
        "{'task_id':'k-1','message':'more','percent':101}",
        "/params/percent");
  }

  @Test
  void readsWhatATaskHasToDoWithAnotherThing() {
    assertEquals(
        new TaskRequest.LinkTask(
            new TaskRequest.Edge("k-1", EdgeKind.BLOCKED_BY, "k-2", "the schema first")),
        task(
            "link_tasks",
            "{'task_id':'k-1','kind':'blocked_by','to':'k-2','reason':'the schema first'}"));
    assertEquals(
        new TaskRequest.UnlinkTask(new TaskRequest.Edge("k-1", EdgeKind.PARENT, "k-2", null)),
        task("unlink_tasks", "{'task_id':'k-1','kind':'parent','to':'k-2'}"));
  }

  @Test
  void needsTheIdOfATaskOnlyWhereAnEdgeLeadsToOne() {
    refused(
        "link_tasks",
        "{'task_id':'k-1','kind':'parent','to':'a/b'}",
        "/params/to",
        "to is not the id of a task");
    assertEquals(
        new TaskRequest.LinkTask(new TaskRequest.Edge("k-1", EdgeKind.EVIDENCE, "a/b", null)),
        task("link_tasks", "{'task_id':'k-1','kind':'evidence','to':'a/b'}"));
  }

  @Test
  void refusesAnEdgeWithoutKindOrOtherEnd() {
    refused("link_tasks", "{'task_id':'k-1','to':'k-2'}", "/params/kind", "kind is required");
    refused(
        "link_tasks",
        "{'task_id':'k-1','kind':'friend','to':'k-2'}",
        "/params/kind",
        "kind must be one of: parent | child | blocks | blocked_by | source_task | source_attempt"
            + " | spawned_subagent | assigned_thread | produced_artifact | consumed_artifact"
            + " | evidence");
    refused("link_tasks", "{'task_id':'k-1','kind':'parent'}", "/params/to", "to is required");
  }
}
