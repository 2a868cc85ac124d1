package dev.runyard.core.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An event of a task.
public sealed interface TaskEvent {
  /// An event about one run.
  sealed interface OfRun extends TaskEvent {
    String runId();
  }

  /// The end of a run.
  sealed interface AttemptEnded extends OfRun {
    int attempt();

    @Nullable String attemptId();
  }

  /// The task is over, or must be retried.
  sealed interface Ended extends TaskEvent {}

  /// Somebody created it.
  ///
  /// @param request what its runs ask for, as it was sent
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Created(TaskTerms terms, @Nullable ObjectNode request) implements TaskEvent {}

  record Accepted() implements TaskEvent {}

  /// Somebody changed what it is.
  ///
  /// @param request null if that stays as it was
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Updated(TaskTerms terms, @Nullable ObjectNode request) implements TaskEvent {}

  record Progressed(TaskProgress progress) implements TaskEvent {}

  /// Another system works on it.
  record Delegated(RemoteTask remote) implements TaskEvent {}

  /// A job works on it; the job is written after this.
  record JobAdded(String job) implements TaskEvent {}

  /// An edge is there, or says something else.
  ///
  /// @param status of the edge; null for one that is gone
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record DependencyUpdated(
      EdgeKind kind, String to, TaskEdge.@Nullable Status status, @Nullable String reason)
      implements TaskEvent {}

  /// It was started, and waits for other tasks.
  ///
  /// @param held what its run will ask for; null where it is told
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Blocked(List<String> by, @Nullable RunRequest held, @Nullable String reason)
      implements TaskEvent {
    public Blocked {
      by = List.copyOf(by);
    }
  }

  /// Somebody wants another run.
  record Retrying(String reason) implements TaskEvent {}

  /// A run was started; it is written after this.
  ///
  /// @param request what it asks for; null where it is told
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AttemptStarted(
      int attempt, String runId, @Nullable String reason, @Nullable RunRequest request)
      implements OfRun {}

  /// Its run is in another state, which has not ended; or it has, and somebody is to say whether
  /// the task is completed by that.
  ///
  /// @param at sequence of the run's event that this follows
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Moved(
      String runId, TaskStatus status, @Nullable String attemptId, long at, @Nullable String reason)
      implements OfRun {
    /// Why a task waits of which all runs have ended.
    public static final String ACCEPTANCE = "acceptance";
  }

  record Paused(String reason) implements TaskEvent {}

  /// It may go on.
  ///
  /// @param undone true where a pause is taken back that could not be
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Resumed(@Nullable Boolean undone) implements TaskEvent {
    boolean isUndone() {
      return Boolean.TRUE.equals(undone);
    }
  }

  /// From here on nothing starts, here and below.
  record CancelRequested(String reason) implements TaskEvent {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AttemptCompleted(int attempt, String runId, @Nullable String attemptId)
      implements AttemptEnded {}

  /// The run did not complete.
  ///
  /// @param again whether it was taken back for a pause, and starts again after that; null where
  ///   that is not in question
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AttemptFailed(
      int attempt,
      String runId,
      @Nullable String attemptId,
      TaskStatus status,
      Failure error,
      @Nullable Boolean again)
      implements AttemptEnded {}

  /// It is done.
  ///
  /// @param summary null if nobody wrote one
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Completed(@Nullable String summary) implements Ended {}

  record Failed(Failure error) implements Ended {}

  record TimedOut(Failure error) implements Ended {}

  record Lost(Failure error) implements Ended {}

  record Cancelled(String reason) implements Ended {}

  /// The last event.
  record Archived() implements TaskEvent {}

  /// An event of a type that this version does not know.
  record Other(String type, JsonNode payload) implements TaskEvent {}
}
