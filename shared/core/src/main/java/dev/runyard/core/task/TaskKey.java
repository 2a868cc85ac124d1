package dev.runyard.core.task;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.submit.RunRequestReader;
import java.util.Optional;
import java.util.regex.Pattern;

/// The tenant and id of a task: the address of its log. The id is the caller's or a UUIDv7.
public record TaskKey(String tenant, String taskId) implements StreamKey {
  public static final StreamKind KIND = new StreamKind("task");

  private static final Pattern TASK_ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final String OF_RUN = "task-";
  private static final int SESSION_DIGITS = 32;
  private static final String SEPARATOR = "#" + KIND.name() + "#";

  public TaskKey {
    if (!RunKey.isTenant(tenant)) {
      throw new IllegalArgumentException("not a tenant: " + tenant);
    }
    if (!isTaskId(taskId)) {
      throw new IllegalArgumentException("not a task id: " + taskId);
    }
  }

  /// True for an id that a task may have. `.` and `..` mean something else in a path, and a run
  /// alone is its own task ([#runOf]).
  public static boolean isTaskId(String text) {
    return TASK_ID.matcher(text).matches()
        && !text.equals(".")
        && !text.equals("..")
        && runOf(text).isEmpty();
  }

  /// The id of the run whose own task has this id.
  public static Optional<String> runOf(String taskId) {
    return Optional.of(taskId)
        .filter(id -> id.startsWith(OF_RUN))
        .map(id -> id.substring(OF_RUN.length()))
        .filter(RunKey::isRunId);
  }

  /// The session of a task whose creator names none: it has the task's id, if that is one that a
  /// session may have.
  String sessionId() {
    return RunRequestReader.isSessionId(taskId)
        ? taskId
        : OF_RUN + Digest.hex(taskId).substring(0, SESSION_DIGITS);
  }

  /// The id of a run's own task.
  static String ofRun(RunKey run) {
    return OF_RUN + run.runId();
  }

  /// The task of `<tenant>#task#<taskId>`.
  ///
  /// @throws IllegalArgumentException for any other text
  public static TaskKey ofPartition(String partition) {
    int at = partition.indexOf(SEPARATOR);
    if (at < 0) {
      throw new IllegalArgumentException("not a task partition: " + partition);
    }
    return new TaskKey(partition.substring(0, at), partition.substring(at + SEPARATOR.length()));
  }

  @Override
  public StreamKind kind() {
    return KIND;
  }

  @Override
  public String id() {
    return taskId;
  }
}
