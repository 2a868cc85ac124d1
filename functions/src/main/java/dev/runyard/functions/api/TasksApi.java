package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.task.TaskFilter;
import dev.runyard.core.task.TaskJson;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskLimits;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskResult;
import dev.runyard.functions.http.MadeOnce;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Optional;

/// Tasks. One is read from its log; a list of them comes from the read models and may lag behind.
/// The task of a run that is its own is read from the run.
final class TasksApi implements Resources<Endpoint> {
  static final int LIST_DEFAULT = 50;
  private static final String PATH = "/v1/tasks";
  private static final Optional<TaskFilter> ALL = Optional.of(TaskFilter.ALL);

  private final ManageTasks tasks;
  private final TaskModels models;
  private final RunLog runs;
  private final MadeOnce once;

  TasksApi(ManageTasks tasks, TaskModels models, RunLog runs, MadeOnce once) {
    this.tasks = tasks;
    this.models = models;
    this.runs = runs;
    this.once = once;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, PATH, Endpoint.plain(this::create)),
        Route.get(Scope.RUNS_READ, PATH, this::list),
        Route.get(Scope.RUNS_READ, PATH + "/{id}", Endpoint.plain(this::get)));
  }

  private Reply create(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (JsonBody.read(request.bytes())) {
      case JsonBody.Result.Rejected rejected -> Reply.of(rejected.problem());
      case JsonBody.Result.Read read ->
          once.answer(
              request,
              request.bytes(),
              "POST " + PATH,
              tasks::draw,
              drawn -> created(request, tasks.create(by(request), read.object(), drawn)));
    };
  }

  private static Reply created(ApiRequest request, TaskResult result) {
    return switch (result) {
      case TaskResult.Rejected rejected -> Reply.of(rejected.problem());
      case TaskResult.Done(var task, _) ->
          Reply.json(201, TaskJson.of(task))
              .with("Location", request.url() + "/" + task.facts().task().taskId());
      case TaskResult.Unavailable(var task, _) -> Reply.json(201, TaskJson.of(task));
    };
  }

  private Reply get(ApiRequest request) {
    return get(request.caller().tenant(), request.named("id"));
  }

  /// The task, or what a run is that is its own.
  Reply get(String tenant, String taskId) {
    return shown(tenant, taskId)
        .map(json -> Reply.json(200, json).with("Runyard-Consistency", "strong"))
        .orElseGet(() -> Reply.of(ManageTasks.notFound()));
  }

  private Optional<ObjectNode> shown(String tenant, String taskId) {
    Optional<String> run = TaskKey.runOf(taskId);
    if (run.isEmpty()) {
      return tasks.find(tenant, taskId).map(TaskJson::of);
    }
    return runs.load(new RunKey(tenant, run.get())) instanceof RunState.Existing existing
        ? Optional.of(TaskJson.of(existing))
        : Optional.empty();
  }

  private Reply list(ApiRequest request) {
    Query query = request.query("status", "limit", "cursor");
    int limit = (int) query.whole("limit", 1, TaskLimits.TASKS_LISTED_MAX, LIST_DEFAULT);
    Optional<TaskFilter> filter = query.text("status").map(TaskFilter::of).orElse(ALL);
    if (filter.isEmpty()) {
      query.refuse(ProblemCode.INVALID_REQUEST, TaskFilter.FORM);
    }
    return query
        .problem()
        .map(Reply::of)
        .orElseGet(
            () ->
                list(request.caller().tenant(), filter.orElseThrow(), limit, query.text("cursor")));
  }

  Reply list(String tenant, TaskFilter filter, int limit, Optional<String> cursor) {
    return PlaceCursor.page(
        "tasks", cursor, after -> filter.list(models, tenant, limit, after), TaskJson::of);
  }

  static SubmitRun.By by(ApiRequest request) {
    return new SubmitRun.By(request.caller().tenant(), request.caller().requester());
  }
}
