package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.submit.SubmitRun;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What tenants do with tasks.
public final class ManageTasks {
  private static final String CREATE = "POST /v1/tasks";

  /// How often an update is made again because somebody else's came first.
  private static final int CHANGES_MAX = 10;

  private final TaskLog tasks;
  private final TaskModels models;
  private final TaskGraph graph;
  private final TaskRequestReader reader;
  private final Runs runs;
  private final New fresh;

  /// How runs of tasks are begun, and put aside.
  public record Runs(SubmitRun submit, AsideRuns aside) {}

  /// Draws ids for tasks whose creator names none.
  public record New(Ids ids, InstantSource clock) {
    public String id() {
      return ids.runId(clock.instant());
    }
  }

  public ManageTasks(
      TaskLog tasks, TaskModels models, TaskRequestReader reader, Runs runs, New fresh) {
    this.tasks = tasks;
    this.models = models;
    this.graph = new TaskGraph(tasks);
    this.reader = reader;
    this.runs = runs;
    this.fresh = fresh;
  }

  /// Creates the task, once for its id.
  ///
  /// @param drawn the id of a task whose creator names none
  public TaskResult create(SubmitRun.By by, ObjectNode body, String drawn) {
    return reader
        .create(by.tenant(), body)
        .map(
            read ->
                create(
                    by,
                    new TaskKey(by.tenant(), read.taskId().orElse(drawn)),
                    read,
                    IdempotencyHeader.fingerprint(by.tenant(), CREATE, body)),
            TaskResult.Rejected::new);
  }

  /// Knows requests that come again.
  public AskedBefore askedBefore() {
    return new AskedBefore(tasks, reader);
  }

  /// An id that no task has.
  public String draw() {
    return fresh.id();
  }

  /// What is above the task says first that it is there: then nothing is created below a task that
  /// is being cancelled.
  private TaskResult create(SubmitRun.By by, TaskKey key, NewTask read, String fingerprint) {
    TaskTerms terms = read.terms().of(key.sessionId(), fingerprint);
    TaskState there = tasks.load(key);
    if (there instanceof TaskState.Absent && read.parent().isPresent()) {
      Optional<Problem> problem =
          below(new TaskKey(by.tenant(), read.parent().get()), key, by.requester());
      if (problem.isPresent()) {
        return new TaskResult.Rejected(problem.get());
      }
    }
    TaskCommand.Create create =
        new TaskCommand.Create(terms, read.request(), read.draft(), read.parent(), by.requester());
    TaskResult result = executed(key, there, create);
    read.parent()
        .filter(_ -> result instanceof TaskResult.Rejected)
        .ifPresent(parent -> unlinked(new TaskKey(by.tenant(), parent), key, by.requester()));
    if (result instanceof TaskResult.Done done && done.changed()) {
      save(done.task());
    }
    return result;
  }

  private Optional<Problem> below(TaskKey parent, TaskKey child, Requester by) {
    if (parent.equals(child)) {
      return Optional.of(TaskResult.problem(TaskGraph.Fault.CIRCLE));
    }
    TaskState there = tasks.load(parent);
    if (there instanceof TaskState.Existing above
        && (above.facts().stopping() || graph.stoppedAbove(above.facts()))) {
      return Optional.of(TaskResult.problem(TaskDecision.Reason.CLOSED));
    }
    if (!graph.hasRoomBelow(parent)) {
      return Optional.of(TaskResult.problem(TaskGraph.Fault.TOO_DEEP));
    }
    TaskCommand.Link edge =
        new TaskCommand.Link(EdgeKind.CHILD, child.taskId(), TaskEdge.Status.ACTIVE, null, by);
    return switch (executed(parent, there, edge)) {
      case TaskResult.Rejected rejected -> Optional.of(rejected.problem());
      case TaskResult.Done _, TaskResult.Unavailable _ -> Optional.empty();
    };
  }

  /// Takes back that a task is below another one which was created elsewhere meanwhile.
  private void unlinked(TaskKey parent, TaskKey child, Requester by) {
    boolean below =
        tasks.load(child) instanceof TaskState.Existing task
            && task.facts().parent().equals(Optional.of(parent.taskId()));
    if (!below && tasks.load(parent) instanceof TaskState.Existing above) {
      TaskCommand.Unlink edge =
          new TaskCommand.Unlink(EdgeKind.CHILD, child.taskId(), false, null, by);
      var _ = executed(parent, above, edge);
    }
  }

  /// Lists show the task at once. Without an answer `project` does that.
  private void save(TaskState.Existing task) {
    try {
      var _ = models.save(task);
    } catch (PortUnavailable _) {
      return;
    }
  }

  /// Changes what the task is, whatever others change meanwhile.
  public TaskResult update(SubmitRun.By by, String taskId, ObjectNode body) {
    TaskResult result = updated(by, taskId, body);
    for (int i = 0; i < CHANGES_MAX && isChanged(result); i++) {
      result = updated(by, taskId, body);
    }
    return result;
  }

  private static boolean isChanged(TaskResult result) {
    return result instanceof TaskResult.Rejected(Problem problem)
        && problem.code() == ProblemCode.UNAVAILABLE;
  }

  private TaskResult updated(SubmitRun.By by, String taskId, ObjectNode body) {
    return of(
        by,
        taskId,
        task ->
            reader
                .update(task.facts(), body)
                .map(
                    read ->
                        executed(
                            task.facts().task(),
                            task,
                            new TaskCommand.Update(
                                task.facts().terms(),
                                read.terms(),
                                read.request(),
                                !read.draft(),
                                by.requester())),
                    TaskResult.Rejected::new));
  }

  /// Starts the task, or writes down that it is to be started.
  ///
  /// @param other members that replace those of its request
  public TaskResult start(SubmitRun.By by, String taskId, @Nullable ObjectNode other) {
    return of(
        by,
        taskId,
        task ->
            started(task.facts())
                ? new TaskResult.Done(task, false)
                : begin(by, task, other, null));
  }

  private static boolean started(TaskFacts task) {
    return !task.attempts().isEmpty() || task.heldAt() > 0;
  }

  /// Starts a task that failed again, once for the number of runs that it had when this was asked
  /// for first.
  ///
  /// @param had null if nobody said
  public TaskResult retry(
      SubmitRun.By by,
      String taskId,
      String reason,
      @Nullable ObjectNode other,
      @Nullable Integer had) {
    return of(
        by,
        taskId,
        task -> {
          boolean done =
              had != null && (task.facts().attempts().size() > had || task.facts().heldAt() > 0);
          return done ? new TaskResult.Done(task, false) : begin(by, task, other, reason);
        });
  }

  private TaskResult begin(
      SubmitRun.By by,
      TaskState.Existing task,
      @Nullable ObjectNode other,
      @Nullable String reason) {
    TaskFacts facts = task.facts();
    Optional<ObjectNode> request = tasks.request(facts);
    if (request.isEmpty() && other == null) {
      return new TaskResult.Rejected(
          Problem.of(
              ProblemCode.INVALID_REQUEST,
              "The task has no request that is kept. Start it with one, or update it."));
    }
    return reader
        .run(facts, request.orElse(null), other)
        .map(read -> begin(by, task, read, reason), TaskResult.Rejected::new);
  }

  private TaskResult begin(
      SubmitRun.By by, TaskState.Existing task, RunRequest read, @Nullable String reason) {
    TaskFacts facts = task.facts();
    TaskKey key = facts.task();
    if (facts.paused() != null || !facts.blockers().isEmpty()) {
      return held(by, task, read, reason);
    }
    TaskRun of = new TaskRun(key.taskId(), facts.attempts().size() + 1, reason);
    return switch (runs.submit().submit(by, read.of(of), Optional.empty())) {
      case SubmitRun.Result.Accepted _ -> now(key, true);
      case SubmitRun.Result.Rejected(Problem problem) -> {
        TaskState.Existing after = (TaskState.Existing) tasks.load(key);
        if (after.facts().attempts().size() > facts.attempts().size()) {
          yield new TaskResult.Done(after, false);
        }
        boolean waits =
            problem.code() == ProblemCode.TASK_BLOCKED
                && (after.facts().paused() != null || !after.facts().blockers().isEmpty());
        yield waits ? held(by, after, read, reason) : new TaskResult.Rejected(problem);
      }
    };
  }

  private TaskResult held(
      SubmitRun.By by, TaskState.Existing task, RunRequest read, @Nullable String reason) {
    if (graph.stoppedAbove(task.facts())) {
      return new TaskResult.Rejected(TaskResult.problem(TaskDecision.Reason.CLOSED));
    }
    return executed(task.facts().task(), task, new TaskCommand.Hold(read, reason, by.requester()));
  }

  private TaskResult now(TaskKey key, boolean changed) {
    return new TaskResult.Done((TaskState.Existing) tasks.load(key), changed);
  }

  public TaskResult progress(SubmitRun.By by, String taskId, TaskProgress progress) {
    return of(by, taskId, new TaskCommand.Progress(progress, by.requester()));
  }

  public TaskResult cancel(SubmitRun.By by, String taskId, String reason) {
    return of(by, taskId, new TaskCommand.Cancel(reason, by.requester()));
  }

  public TaskResult complete(SubmitRun.By by, String taskId, @Nullable String summary) {
    return of(by, taskId, new TaskCommand.Complete(summary, by.requester()));
  }

  public TaskResult fail(SubmitRun.By by, String taskId, String reason) {
    Failure why = new Failure("task_failed", Category.CALLER, reason);
    return of(by, taskId, new TaskCommand.Fail(why, by.requester()));
  }

  /// Lets nothing start for now, and has the runs give their places up until the task is resumed.
  /// Nothing is changed if one of them cannot.
  public TaskResult pause(SubmitRun.By by, String taskId, String reason) {
    return of(
        by,
        taskId,
        task -> {
          TaskFacts facts = task.facts();
          TaskKey key = facts.task();
          boolean now = facts.paused() == null && !facts.stopping() && !facts.draft();
          if (now && !runs.aside().mayRest(facts)) {
            return new TaskResult.Unavailable(task, atWork());
          }
          TaskResult paused = executed(key, task, new TaskCommand.Pause(reason, by.requester()));
          if (!(paused instanceof TaskResult.Done done)
              || runs.aside().rest(done.task().facts(), reason, by.requester())) {
            return paused;
          }
          var _ = executed(key, done.task(), new TaskCommand.Resume(true, false, by.requester()));
          runs.aside().goOn(done.task().facts(), by.requester());
          return new TaskResult.Unavailable((TaskState.Existing) tasks.load(key), atWork());
        });
  }

  private static Failure atWork() {
    return new Failure(
        "run_at_work",
        Category.CALLER,
        "A run of the task is at work whose agent cannot go on elsewhere, or several runs wait to start. Wait until they have ended, or cancel them.");
  }

  /// Lets the task go on, and its runs where they were.
  public TaskResult resume(SubmitRun.By by, String taskId) {
    return of(
        by,
        taskId,
        task -> {
          boolean goesOn = runs.aside().mayGoOn(task.facts());
          TaskCommand resume = new TaskCommand.Resume(false, goesOn, by.requester());
          TaskResult result = executed(task.facts().task(), task, resume);
          if (result instanceof TaskResult.Done done) {
            runs.aside().goOn(done.task().facts(), by.requester());
          }
          return result;
        });
  }

  public TaskResult archive(SubmitRun.By by, String taskId) {
    return of(by, taskId, new TaskCommand.Archive(by.requester()));
  }

  /// The task as it is now.
  public Optional<TaskState.Existing> find(String tenant, String taskId) {
    return TaskKey.isTaskId(taskId)
            && tasks.load(new TaskKey(tenant, taskId)) instanceof TaskState.Existing task
        ? Optional.of(task)
        : Optional.empty();
  }

  public static Problem notFound() {
    return TaskResult.problem(TaskDecision.Reason.NO_TASK);
  }

  private interface Doing {
    TaskResult with(TaskState.Existing task);
  }

  private TaskResult of(SubmitRun.By by, String taskId, TaskCommand command) {
    return of(by, taskId, task -> executed(task.facts().task(), task, command));
  }

  private TaskResult of(SubmitRun.By by, String taskId, Doing doing) {
    return find(by.tenant(), taskId)
        .map(doing::with)
        .orElseGet(() -> new TaskResult.Rejected(notFound()));
  }

  private TaskResult executed(TaskKey key, TaskState from, TaskCommand command) {
    var result = tasks.execute(key, from, command);
    return TaskResult.of(result.state(), result.decision());
  }
}
