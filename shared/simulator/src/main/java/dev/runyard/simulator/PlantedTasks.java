package dev.runyard.simulator;

import dev.runyard.core.task.TaskCommand;
import dev.runyard.core.task.TaskDecision;
import dev.runyard.core.task.TaskEdge;
import dev.runyard.core.task.TaskEvent;
import dev.runyard.core.task.TaskRules;
import dev.runyard.core.task.TaskState;
import dev.runyard.core.task.TaskStatus;
import dev.runyard.core.task.TaskStream;
import java.util.List;

/// The rules of tasks with a planted defect.
final class PlantedTasks {
  private PlantedTasks() {}

  static TaskStream rules(Defect defect) {
    return new TaskStream((state, command) -> decided(defect, state, command));
  }

  private static TaskDecision decided(Defect defect, TaskState state, TaskCommand command) {
    return switch (command) {
      case TaskCommand.Saw saw when defect == Defect.TASK_COMPLETION_NOT_TOLD ->
          TaskRules.decide(state, new TaskCommand.Saw(saw.runs(), List.of()));
      case TaskCommand.Link link
          when defect == Defect.TASK_EDGE_NOT_LOOKED_AT
              && link.status() == TaskEdge.Status.PENDING ->
          unlooked(TaskRules.decide(state, link));
      case TaskCommand.Start start
          when defect == Defect.TASK_STARTS_AFTER_CANCEL
              && state instanceof TaskState.Open(var task)
              && state.phase().equals(TaskStatus.CANCELLING.wire())
              && task.attempt(start.runId()).isEmpty() ->
          new TaskDecision.Append(
              List.of(
                  new TaskEvent.AttemptStarted(
                      task.attempts().size() + 1, start.runId(), start.reason(), start.request())));
      case TaskCommand _ -> TaskRules.decide(state, command);
    };
  }

  private static TaskDecision unlooked(TaskDecision decision) {
    return decision instanceof TaskDecision.Append(List<TaskEvent> events)
        ? new TaskDecision.Append(events.stream().map(PlantedTasks::unlooked).toList())
        : decision;
  }

  private static TaskEvent unlooked(TaskEvent event) {
    return event instanceof TaskEvent.DependencyUpdated edge
        ? new TaskEvent.DependencyUpdated(
            edge.kind(), edge.to(), TaskEdge.Status.ACTIVE, edge.reason())
        : event;
  }
}
