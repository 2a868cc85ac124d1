package dev.runyard.core.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.cancel.CancelRequestReader;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.task.EdgeKind;
import dev.runyard.core.task.TaskFilter;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskLimits;
import dev.runyard.core.task.TaskProgress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads the params of commands about tasks. What a task is created and changed with is read where
/// that is done.
final class TaskRequestParams {
  static final List<String> NAMES =
      List.of(
          "create_task",
          "update_task",
          "start_task",
          "append_task_progress",
          "pause_task",
          "resume_task",
          "cancel_task",
          "retry_task",
          "complete_task",
          "fail_task",
          "list_tasks",
          "get_task",
          "link_tasks",
          "unlink_tasks",
          "archive_task");

  private static final String TASK = "task_id";
  private static final String REASON = "reason";
  private static final String STATUS = "status";
  private static final String REQUEST = "request";

  private final ObjectNode params;
  private JsonFields fields;

  private TaskRequestParams(ObjectNode params) {
    this.params = params;
    this.fields = JsonFields.of(params, Set.of(TASK));
  }

  /// What the params turned out to be: a command, or a problem with one of their members.
  sealed interface Result {
    record Read(TaskRequest command) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// @param name one of [#NAMES]
  static Result read(String name, ObjectNode params) {
    TaskRequestParams reader = new TaskRequestParams(params);
    TaskRequest command = reader.command(name);
    return reader
        .fields
        .problem()
        .<Result>map(Result.Rejected::new)
        .orElseGet(() -> new Result.Read(command));
  }

  private TaskRequest command(String name) {
    return switch (name) {
      case "create_task" -> {
        fields = JsonFields.of(params, names());
        yield new TaskRequest.CreateTask(params);
      }
      case "update_task" -> {
        fields = JsonFields.of(params, names());
        ObjectNode changes = params.deepCopy();
        changes.remove(TASK);
        yield new TaskRequest.UpdateTask(task(), changes);
      }
      case "list_tasks" -> {
        members("limit", "cursor", STATUS);
        yield new TaskRequest.ListTasks(RuntimeCommandReader.window(fields), filter());
      }
      case "get_task" -> new TaskRequest.GetTask(members(TASK).requiredText(TASK));
      case "start_task" -> {
        members(TASK, REQUEST);
        yield new TaskRequest.StartTask(task(), request());
      }
      case "retry_task" -> {
        members(TASK, REASON, REQUEST);
        yield new TaskRequest.RetryTask(
            task(), required(REASON, TaskLimits.RETRY_REASON_BYTES_MAX), request());
      }
      case "append_task_progress" -> progress();
      case "pause_task" -> {
        members(TASK, REASON);
        yield new TaskRequest.PauseTask(task(), reason());
      }
      case "cancel_task" -> {
        members(TASK, REASON);
        yield new TaskRequest.CancelTask(task(), reason());
      }
      case "complete_task" -> {
        members(TASK, "summary");
        yield new TaskRequest.CompleteTask(task(), text("summary", TaskLimits.TEXT_BYTES_MAX));
      }
      case "fail_task" -> {
        members(TASK, REASON);
        yield new TaskRequest.FailTask(task(), required(REASON, Limits.REASON_BYTES_MAX));
      }
      case "link_tasks" -> new TaskRequest.LinkTask(edge());
      case "unlink_tasks" -> new TaskRequest.UnlinkTask(edge());
      case "resume_task" -> {
        members(TASK);
        yield new TaskRequest.ResumeTask(task());
      }
      case String _ -> {
        members(TASK);
        yield new TaskRequest.ArchiveTask(task());
      }
    };
  }

  /// Whichever there are: where they are read, others are refused.
  private Set<String> names() {
    Set<String> names = new HashSet<>(Set.of(TASK));
    params.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private JsonFields members(String... names) {
    fields = JsonFields.of(params, Set.of(names));
    return fields;
  }

  private String task() {
    String task = fields.requiredText(TASK);
    if (!TaskKey.isTaskId(task)) {
      fields.refuse(TASK, "task_id is not the id of a task");
    }
    return task;
  }

  private @Nullable ObjectNode request() {
    var _ = fields.object(REQUEST);
    return params.path(REQUEST) instanceof ObjectNode given ? given : null;
  }

  private String reason() {
    String reason = text(REASON, Limits.REASON_BYTES_MAX);
    return reason == null ? CancelRequestReader.REASON_DEFAULT : reason;
  }

  private String required(String name, int bytesMax) {
    var _ = fields.requiredText(name);
    String text = text(name, bytesMax);
    return text == null ? "" : text;
  }

  private @Nullable String text(String name, int bytesMax) {
    Optional<String> text = fields.text(name);
    if (text.filter(it -> it.isBlank() || Bounds.bytes(it) > bytesMax).isPresent()) {
      fields.refuse(
          name, "%s must not be blank and must have at most %d bytes".formatted(name, bytesMax));
    }
    return text.orElse(null);
  }

  private TaskFilter filter() {
    Optional<String> text = fields.text(STATUS);
    Optional<TaskFilter> filter = text.flatMap(TaskFilter::of);
    if (text.isPresent() && filter.isEmpty()) {
      fields.refuse(STATUS, TaskFilter.FORM);
    }
    return filter.orElse(TaskFilter.ALL);
  }

  private TaskRequest progress() {
    members(TASK, "message", "percent");
    String task = task();
    var _ = fields.requiredText("message");
    String message = text("message", TaskLimits.TEXT_BYTES_MAX);
    OptionalLong percent = fields.optionalWhole("percent", 0, 100);
    return new TaskRequest.Progress(
        task,
        new TaskProgress(
            message == null ? "" : message,
            percent.isPresent() ? Integer.valueOf((int) percent.getAsLong()) : null));
  }

  private TaskRequest.Edge edge() {
    members(TASK, "kind", "to", REASON);
    String task = task();
    Optional<EdgeKind> kind = EdgeKind.of(fields.requiredText("kind"));
    if (kind.isEmpty()) {
      fields.refuse(
          "kind",
          "kind must be one of: %s"
              .formatted(
                  Arrays.stream(EdgeKind.values())
                      .map(EdgeKind::wire)
                      .collect(Collectors.joining(" | "))));
    }
    var _ = fields.requiredText("to");
    String to = text("to", TaskLimits.NAME_BYTES_MAX);
    EdgeKind known = kind.orElse(EdgeKind.EVIDENCE);
    if (to != null && known.inverse() != null && !TaskKey.isTaskId(to)) {
      fields.refuse("to", "to is not the id of a task");
    }
    return new TaskRequest.Edge(
        task, known, to == null ? "" : to, text(REASON, TaskLimits.NAME_BYTES_MAX));
  }
}
