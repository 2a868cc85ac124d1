package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A command to a task. [TaskRules] answers with events, or with the reason for refusing.
public sealed interface TaskCommand {
  /// Somebody creates the task.
  ///
  /// @param parent the task that it is a part of, whose log says so already
  record Create(
      TaskTerms terms,
      @Nullable ObjectNode request,
      boolean draft,
      Optional<String> parent,
      Requester by)
      implements TaskCommand {}

  /// Somebody changes what it is.
  ///
  /// @param was what it is now, if nobody else changed it
  /// @param request null if that stays as it was
  /// @param accepted whether a draft is finished by that
  record Update(
      TaskTerms was, TaskTerms terms, @Nullable ObjectNode request, boolean accepted, Requester by)
      implements TaskCommand {}

  record Progress(TaskProgress progress, Requester by) implements TaskCommand {}

  /// A run is about to be written.
  ///
  /// @param number which of the task's runs it has to be; null for one that may run beside others
  /// @param reason why it is tried again; null for a first run
  record Start(
      String runId,
      @Nullable Integer number,
      RunRequest request,
      @Nullable String reason,
      Requester by)
      implements TaskCommand {}

  /// Somebody starts a task that cannot start yet.
  record Hold(RunRequest request, @Nullable String reason, Requester by) implements TaskCommand {}

  /// Runs of the task are in other states, and tasks that it waited for are completed.
  record Saw(List<Seen> runs, List<String> completed) implements TaskCommand {
    public Saw {
      runs = List.copyOf(runs);
      completed = List.copyOf(completed);
    }
  }

  /// How a run is doing.
  ///
  /// @param sequence of the run's newest event
  /// @param error why it failed; null if it did not
  /// @param takenBack whether it was ended for a pause
  record Seen(
      String runId,
      long sequence,
      TaskStatus status,
      @Nullable String attemptId,
      @Nullable Failure error,
      boolean takenBack) {}

  record Cancel(String reason, Requester by) implements TaskCommand {}

  /// All below a task that is being cancelled knows of it.
  record Reached() implements TaskCommand {}

  record Complete(@Nullable String summary, Requester by) implements TaskCommand {}

  record Fail(Failure error, @Nullable Requester by) implements TaskCommand {}

  record Pause(String reason, Requester by) implements TaskCommand {}

  /// What was paused may go on.
  ///
  /// @param undone whether a pause is taken back that could not be
  /// @param goesOn whether the runs that have not ended go on where they were
  record Resume(boolean undone, boolean goesOn, Requester by) implements TaskCommand {}

  record Link(
      EdgeKind kind,
      String to,
      TaskEdge.Status status,
      @Nullable String reason,
      @Nullable Requester by)
      implements TaskCommand {}

  /// An edge is to go.
  ///
  /// @param pending whether it is to stay if it is known to be right
  record Unlink(
      EdgeKind kind, String to, boolean pending, @Nullable String reason, @Nullable Requester by)
      implements TaskCommand {}

  /// A job of the task is about to be written.
  record AddJob(String jobId, Requester by) implements TaskCommand {}

  record Archive(Requester by) implements TaskCommand {}
}
