package dev.runyard.core.event;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The names of the event types, as the Agent Runtime standard spells them, and what each type
/// means to a reader of the log.
public final class EventTypes {
  private static final Map<String, Class<? extends RunEvent>> BY_NAME =
      List.<Named>of(
              new Named("task.created", RunEvent.TaskCreated.class),
              new Named("turn.submitted", RunEvent.TurnSubmitted.class),
              new Named("task.queued", RunEvent.TaskQueued.class),
              new Named("task.blocked", RunEvent.TaskBlocked.class),
              new Named("task.retrying", RunEvent.TaskRetrying.class),
              new Named("task.attempt.started", RunEvent.AttemptStarted.class),
              new Named("turn.started", RunEvent.TurnStarted.class),
              new Named("process.started", RunEvent.ProcessStarted.class),
              new Named("run.status", RunEvent.RunStatus.class),
              new Named("session.updated", RunEvent.SessionUpdated.class),
              new Named("model.delta", RunEvent.ModelDelta.class),
              new Named("reasoning.delta", RunEvent.ReasoningDelta.class),
              new Named("model.completed", RunEvent.ModelCompleted.class),
              new Named("tool.started", RunEvent.ToolStarted.class),
              new Named("tool.progress", RunEvent.ToolProgress.class),
              new Named("tool.result", RunEvent.ToolResult.class),
              new Named("tool.failed", RunEvent.ToolFailed.class),
              new Named("artifact.changed", RunEvent.ArtifactChanged.class),
              new Named("task.progress", RunEvent.TaskProgress.class),
              new Named("cost.recorded", RunEvent.CostRecorded.class),
              new Named("runtime.warning", RunEvent.RuntimeWarning.class),
              new Named("runtime.error", RunEvent.RuntimeError.class),
              new Named("output.truncated", RunEvent.OutputTruncated.class),
              new Named("output.spilled", RunEvent.OutputSpilled.class),
              new Named("action.required", RunEvent.ActionRequired.class),
              new Named("permission.requested", RunEvent.PermissionRequested.class),
              new Named("task.waiting", RunEvent.TaskWaiting.class),
              new Named("action.resolved", RunEvent.ActionResolved.class),
              new Named("permission.resolved", RunEvent.PermissionResolved.class),
              new Named("channel.message", RunEvent.ChannelMessage.class),
              new Named("process.input", RunEvent.ProcessInput.class),
              new Named("channel.disconnected", RunEvent.ChannelDisconnected.class),
              new Named("task.paused", RunEvent.TaskPaused.class),
              new Named("task.resumed", RunEvent.TaskResumed.class),
              new Named("task.cancel_requested", RunEvent.CancelRequested.class),
              new Named("process.terminated", RunEvent.ProcessTerminated.class),
              new Named("process.completed", RunEvent.ProcessCompleted.class),
              new Named("process.failed", RunEvent.ProcessFailed.class),
              new Named("task.attempt.completed", RunEvent.AttemptCompleted.class),
              new Named("task.attempt.failed", RunEvent.AttemptFailed.class),
              new Named("turn.completed", RunEvent.TurnCompleted.class),
              new Named("turn.failed", RunEvent.TurnFailed.class),
              new Named("task.completed", RunEvent.TaskCompleted.class),
              new Named("task.failed", RunEvent.TaskFailed.class),
              new Named("task.cancelled", RunEvent.TaskCancelled.class),
              new Named("task.timed_out", RunEvent.TaskTimedOut.class),
              new Named("task.lost", RunEvent.TaskLost.class))
          .stream()
          .collect(Collectors.toUnmodifiableMap(Named::name, Named::type));

  private static final Map<Class<? extends RunEvent>, String> NAMES =
      BY_NAME.entrySet().stream()
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

  private EventTypes() {}

  /// The names this code writes and understands.
  public static List<String> names() {
    return BY_NAME.keySet().stream().sorted().toList();
  }

  public static String nameOf(RunEvent event) {
    return switch (event) {
      case RunEvent.Other other -> other.type();
      case RunEvent known -> named(known.getClass());
    };
  }

  static @Nullable Class<? extends RunEvent> typeOf(String name) {
    return BY_NAME.get(name);
  }

  private static String named(Class<? extends RunEvent> type) {
    String name = NAMES.get(type);
    if (name == null) {
      throw new IllegalStateException("event without a name: " + type.getSimpleName());
    }
    return name;
  }

  /// True when the event moves the run's state. Such an event is written at once, and its chunk
  /// carries the new state; every other event may wait for a flush window and is skipped by the
  /// stream functions.
  public static boolean changesState(RunEvent event) {
    return switch (event) {
      case RunEvent.TaskCreated _,
          RunEvent.TurnSubmitted _,
          RunEvent.TaskQueued _,
          RunEvent.TaskRetrying _,
          RunEvent.AttemptStarted _,
          RunEvent.TurnStarted _,
          RunEvent.ProcessStarted _,
          RunEvent.ActionRequired _,
          RunEvent.PermissionRequested _,
          RunEvent.TaskWaiting _,
          RunEvent.ActionResolved _,
          RunEvent.PermissionResolved _,
          RunEvent.ChannelDisconnected _,
          RunEvent.TaskPaused _,
          RunEvent.TaskResumed _,
          RunEvent.CancelRequested _,
          RunEvent.ProcessTerminated _,
          RunEvent.ProcessCompleted _,
          RunEvent.ProcessFailed _,
          RunEvent.AttemptCompleted _,
          RunEvent.AttemptFailed _,
          RunEvent.TurnCompleted _,
          RunEvent.TurnFailed _,
          RunEvent.TaskCompleted _,
          RunEvent.TaskFailed _,
          RunEvent.TaskCancelled _,
          RunEvent.TaskTimedOut _,
          RunEvent.TaskLost _ ->
          true;
      case RunEvent.TaskBlocked _,
          RunEvent.RunStatus _,
          RunEvent.SessionUpdated _,
          RunEvent.ModelDelta _,
          RunEvent.ReasoningDelta _,
          RunEvent.ModelCompleted _,
          RunEvent.ToolStarted _,
          RunEvent.ToolProgress _,
          RunEvent.ToolResult _,
          RunEvent.ToolFailed _,
          RunEvent.ArtifactChanged _,
          RunEvent.TaskProgress _,
          RunEvent.CostRecorded _,
          RunEvent.RuntimeWarning _,
          RunEvent.RuntimeError _,
          RunEvent.OutputTruncated _,
          RunEvent.OutputSpilled _,
          RunEvent.ChannelMessage _,
          RunEvent.ProcessInput _,
          RunEvent.Other _ ->
          false;
    };
  }

  /// True when an agent told the event: an attempt that continues another counts them to know what
  /// was told already. What it asked is no output; the interactions knows that by itself.
  public static boolean isOutput(RunEvent event) {
    return switch (event) {
      case RunEvent.SessionUpdated _,
          RunEvent.ModelDelta _,
          RunEvent.ReasoningDelta _,
          RunEvent.ModelCompleted _,
          RunEvent.ToolStarted _,
          RunEvent.ToolProgress _,
          RunEvent.ToolResult _,
          RunEvent.ToolFailed _,
          RunEvent.ArtifactChanged _,
          RunEvent.TaskProgress _,
          RunEvent.CostRecorded _,
          RunEvent.RuntimeWarning _,
          RunEvent.RuntimeError _,
          RunEvent.OutputTruncated _,
          RunEvent.OutputSpilled _,
          RunEvent.Other _ ->
          true;
      case RunEvent _ -> false;
    };
  }

  /// True when only an attempt's runner tells such an event, so that it shows the attempt alive.
  /// The end of an attempt is among them: whoever writes it, nothing of the attempt comes later.
  public static boolean byAttempt(RunEvent event) {
    return switch (event) {
      case RunEvent.TaskCreated _,
          RunEvent.TurnSubmitted _,
          RunEvent.TaskQueued _,
          RunEvent.TaskBlocked _,
          RunEvent.TaskRetrying _,
          RunEvent.TaskResumed _,
          RunEvent.ActionResolved _,
          RunEvent.PermissionResolved _,
          RunEvent.ChannelMessage _,
          RunEvent.ChannelDisconnected _,
          RunEvent.CancelRequested _,
          RunEvent.TurnCompleted _,
          RunEvent.TurnFailed _,
          RunEvent.TaskCompleted _,
          RunEvent.TaskFailed _,
          RunEvent.TaskCancelled _,
          RunEvent.TaskTimedOut _,
          RunEvent.TaskLost _ ->
          false;
      case RunEvent _ -> true;
    };
  }

  private record Named(String name, Class<? extends RunEvent> type) {}
}
