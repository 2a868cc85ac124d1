package dev.runyard.core.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What another system calls the task that it works on. Its status says nothing of this task's: who
/// asked for the work decides whether it is done.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RemoteTask(
    String protocol, String taskId, @Nullable String contextId, @Nullable String status) {
  public RemoteTask {
    Objects.requireNonNull(protocol);
    Objects.requireNonNull(taskId);
  }
}
