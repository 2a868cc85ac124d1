package dev.runyard.core.task;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;

/// What became of a request about a task.
public sealed interface TaskResult {
  /// It was done.
  ///
  /// @param changed false when the task was already as it was wanted
  record Done(TaskState.Existing task, boolean changed) implements TaskResult {}

  record Rejected(Problem problem) implements TaskResult {}

  /// It cannot be done to what runs here.
  record Unavailable(TaskState.Existing task, Failure why) implements TaskResult {}

  static TaskResult of(TaskState state, TaskDecision decision) {
    return switch (decision) {
      case TaskDecision.Refuse refuse -> new Rejected(problem(refuse.reason()));
      case TaskDecision.Append _ -> new Done((TaskState.Existing) state, true);
      case TaskDecision.Stay _ -> new Done((TaskState.Existing) state, false);
    };
  }

  /// A refusal in words.
  static Problem problem(TaskDecision.Reason reason) {
    return switch (reason) {
      case NO_TASK -> Problem.of(ProblemCode.TASK_NOT_FOUND, "There is no task with this id.");
      case MISMATCH ->
          Problem.of(
              ProblemCode.IDEMPOTENCY_MISMATCH,
              "This task_id was used with another request. Use a new one.");
      case CHANGED ->
          Problem.of(
              ProblemCode.UNAVAILABLE,
              "Others change the task all the time. Send the same request again.");
      case CLOSED ->
          Problem.of(
              ProblemCode.TASK_CLOSED,
              "The task is over, or is being cancelled. Retry it if it failed, or create another one.");
      case BLOCKED ->
          Problem.of(
              ProblemCode.TASK_BLOCKED,
              "The task waits for other tasks. Complete those, unlink them, or start it by start_task,"
                  + " which holds it back.");
      case PAUSED ->
          Problem.of(ProblemCode.TASK_BLOCKED, "The task is paused. Resume it by resume_task.");
      case DRAFT ->
          Problem.of(ProblemCode.TASK_BLOCKED, "The task is a draft. Finish it by update_task.");
      case RUNNING, STARTED ->
          Problem.of(
              ProblemCode.TASK_BLOCKED,
              "The task has runs that have not ended. Wait until they have, or cancel them.");
      case NOT_ENDED ->
          Problem.of(
              ProblemCode.TASK_BLOCKED, "The task is not over. Complete or cancel it first.");
      case FULL ->
          Problem.of(
              ProblemCode.TASK_FULL,
              "A task has at most %d edges. Unlink some, or link another task."
                  .formatted(TaskLimits.EDGES_MAX));
      case JOBS_FULL ->
          Problem.of(
              ProblemCode.TASK_FULL,
              "A task has at most %d jobs. Create another one.".formatted(TaskLimits.JOBS_MAX));
      case RUN_OUT ->
          Problem.of(
              ProblemCode.TASK_FULL,
              "The task was run %d times, as often as one may be. Create another one."
                  .formatted(TaskLimits.RUNS_MAX));
      case HAS_PARENT ->
          Problem.of(
              ProblemCode.TASK_FULL,
              "The task is a part of another one. Unlink it from that first.");
    };
  }

  static Problem problem(TaskGraph.Fault fault) {
    return switch (fault) {
      case CIRCLE ->
          Problem.of(
              ProblemCode.TASK_CYCLE,
              "The tasks would wait for, or contain, each other. Link them the other way, or not.");
      case TOO_DEEP ->
          Problem.of(
              ProblemCode.TASK_FULL,
              "More than %d tasks would be in a row, or too many around them to tell. Link fewer."
                  .formatted(TaskLimits.DEPTH_MAX));
    };
  }
}
