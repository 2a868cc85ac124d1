package dev.runyard.functions.api;

import dev.runyard.core.access.Scope;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.runtime.TaskRequest;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.task.AskedBefore;
import dev.runyard.core.task.LinkTasks;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.task.TaskFacts;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskResult;
import dev.runyard.core.task.TaskState;
import dev.runyard.core.task.TaskWant;
import dev.runyard.functions.http.MadeOnce;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.proxy.ApiRequest;
import java.util.Optional;

/// The commands of tasks.
public final class TaskCommands {
  private static final String ROUTE = "POST /v1/runtime/commands";

  private final ManageTasks tasks;
  private final LinkTasks links;
  private final TasksApi shown;
  private final MadeOnce once;

  TaskCommands(ManageTasks tasks, LinkTasks links, TasksApi shown, MadeOnce once) {
    this.tasks = tasks;
    this.links = links;
    this.shown = shown;
    this.once = once;
  }

  static Scope scope(TaskRequest command) {
    return switch (command) {
      case TaskRequest.OfTask _, TaskRequest.CreateTask _ -> Scope.RUNS_WRITE;
      case TaskRequest.GetTask _, TaskRequest.ListTasks _ -> Scope.RUNS_READ;
    };
  }

  Reply execute(ApiRequest request, CommandAnswer answer, TaskRequest command) {
    String tenant = request.caller().tenant();
    return switch (command) {
      case TaskRequest.ListTasks list ->
          answer.of(
              shown.list(tenant, list.filter(), list.window().limit(), list.window().cursor()));
      case TaskRequest.GetTask get -> answer.of(shown.get(tenant, get.taskId()));
      case TaskRequest.CreateTask create ->
          once.answer(
              request,
              request.bytes(),
              ROUTE,
              tasks::draw,
              drawn -> reply(answer, tasks.create(TasksApi.by(request), create.params(), drawn)));
      case TaskRequest.OfTask of -> ofTask(request, answer, of);
    };
  }

  /// A key is bound to the moment at which the command came first.
  private Reply ofTask(ApiRequest request, CommandAnswer answer, TaskRequest.OfTask of) {
    Optional<TaskState.Existing> task = tasks.find(request.caller().tenant(), of.taskId());
    if (task.isEmpty()) {
      return Reply.of(ManageTasks.notFound());
    }
    TaskFacts facts = task.get().facts();
    return once.about(
        request,
        request.bytes(),
        ROUTE,
        () -> tasks.askedBefore().mark(facts, want(of)),
        (mark, again) -> {
          boolean done =
              again
                  && want(of)
                      .filter(wanted -> tasks.askedBefore().isDone(facts, mark, wanted))
                      .isPresent();
          return reply(
              answer,
              done
                  ? new TaskResult.Done(task.get(), false)
                  : result(TasksApi.by(request), of, AskedBefore.runs(mark), again));
        });
  }

  /// What others may undo before the command comes again.
  private static Optional<TaskWant> want(TaskRequest.OfTask command) {
    return Optional.ofNullable(
        switch (command) {
          case TaskRequest.UpdateTask update -> new TaskWant.Terms(update.params());
          case TaskRequest.Progress progress -> new TaskWant.Progress(progress.progress());
          case TaskRequest.PauseTask _ -> new TaskWant.Paused();
          case TaskRequest.ResumeTask _ -> new TaskWant.Resumed();
          case TaskRequest.FailTask _ -> new TaskWant.Failed();
          case TaskRequest.LinkTask(var edge) -> new TaskWant.Edge(edge.kind(), edge.to(), true);
          case TaskRequest.UnlinkTask(var edge) -> new TaskWant.Edge(edge.kind(), edge.to(), false);
          case TaskRequest.StartTask _,
              TaskRequest.RetryTask _,
              TaskRequest.CancelTask _,
              TaskRequest.CompleteTask _,
              TaskRequest.ArchiveTask _ ->
              null;
        });
  }

  private TaskResult result(SubmitRun.By by, TaskRequest.OfTask command, int had, boolean again) {
    String id = command.taskId();
    return switch (command) {
      case TaskRequest.UpdateTask update -> tasks.update(by, id, update.params());
      case TaskRequest.StartTask start -> tasks.start(by, id, start.request());
      case TaskRequest.RetryTask retry ->
          tasks.retry(by, id, retry.reason(), retry.request(), again ? had : null);
      case TaskRequest.Progress progress -> tasks.progress(by, id, progress.progress());
      case TaskRequest.PauseTask pause -> tasks.pause(by, id, pause.reason());
      case TaskRequest.ResumeTask _ -> tasks.resume(by, id);
      case TaskRequest.CancelTask cancel -> tasks.cancel(by, id, cancel.reason());
      case TaskRequest.CompleteTask complete -> tasks.complete(by, id, complete.summary());
      case TaskRequest.FailTask fail -> tasks.fail(by, id, fail.reason());
      case TaskRequest.ArchiveTask _ -> tasks.archive(by, id);
      case TaskRequest.LinkTask link -> links.link(wish(by, link.edge()));
      case TaskRequest.UnlinkTask unlink -> links.unlink(wish(by, unlink.edge()));
    };
  }

  private static LinkTasks.Wish wish(SubmitRun.By by, TaskRequest.Edge edge) {
    return new LinkTasks.Wish(
        new TaskKey(by.tenant(), edge.taskId()),
        edge.kind(),
        edge.to(),
        edge.reason(),
        by.requester());
  }

  private static Reply reply(CommandAnswer answer, TaskResult result) {
    return switch (result) {
      case TaskResult.Rejected(Problem problem) -> Reply.of(CommandAnswer.inParams(problem));
      case TaskResult.Unavailable(TaskState.Existing task, var why) ->
          answer.ofTask("unavailable", task, Optional.of(why));
      case TaskResult.Done(TaskState.Existing task, boolean changed) ->
          answer.ofTask(
              changed ? outcome(answer.command(), task) : "no_op", task, Optional.empty());
    };
  }

  /// What is done later is accepted, and what waits to be started is queued.
  private static String outcome(String command, TaskState.Existing task) {
    return switch (command) {
      case "start_task", "retry_task" -> task.facts().heldAt() > 0 ? "queued" : "accepted";
      case "cancel_task" -> task.status().ended() ? "done" : "accepted";
      case "pause_task" -> task.facts().active().findAny().isEmpty() ? "done" : "accepted";
      default -> "done";
    };
  }
}
