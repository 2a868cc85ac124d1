package dev.runyard.core.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.task.EdgeKind;
import dev.runyard.core.task.TaskFilter;
import dev.runyard.core.task.TaskProgress;
import org.jspecify.annotations.Nullable;

/// A command about tasks, already validated.
public sealed interface TaskRequest {
  /// A command to one task.
  sealed interface OfTask extends TaskRequest {
    String taskId();
  }

  /// Creates a task.
  ///
  /// @param params what `POST /v1/tasks` takes
  record CreateTask(ObjectNode params) implements TaskRequest {}

  record GetTask(String taskId) implements TaskRequest {}

  record ListTasks(RuntimeCommand.Window window, TaskFilter filter) implements TaskRequest {}

  /// Changes what a task is.
  ///
  /// @param params the members that change
  record UpdateTask(String taskId, ObjectNode params) implements OfTask {}

  /// Starts a task.
  ///
  /// @param request members that replace those of its request
  record StartTask(String taskId, @Nullable ObjectNode request) implements OfTask {}

  record RetryTask(String taskId, String reason, @Nullable ObjectNode request) implements OfTask {}

  record Progress(String taskId, TaskProgress progress) implements OfTask {}

  record PauseTask(String taskId, String reason) implements OfTask {}

  record ResumeTask(String taskId) implements OfTask {}

  record CancelTask(String taskId, String reason) implements OfTask {}

  record CompleteTask(String taskId, @Nullable String summary) implements OfTask {}

  record FailTask(String taskId, String reason) implements OfTask {}

  record ArchiveTask(String taskId) implements OfTask {}

  record LinkTask(Edge edge) implements OfTask {
    @Override
    public String taskId() {
      return edge.taskId();
    }
  }

  record UnlinkTask(Edge edge) implements OfTask {
    @Override
    public String taskId() {
      return edge.taskId();
    }
  }

  /// What a task has to do with another thing.
  record Edge(String taskId, EdgeKind kind, String to, @Nullable String reason) {}
}
