package dev.runyard.core.task;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.TaskJobs;
import dev.runyard.core.log.Recent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.core.submit.SubmitRun;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Advances a task: takes down how its runs are doing, starts what was held back, tells those below
/// of a cancel and those that wait that it is completed. It may be called twice, late, or
/// unnecessarily.
public final class AdvanceTask {
  /// In whose name a task goes on that nobody in particular created.
  private static final String NOBODY = "task";

  /// Refusals that are otherwise later, or another's doing.
  private static final Set<ProblemCode> LATER =
      Set.of(
          ProblemCode.QUOTA_REACHED,
          ProblemCode.SESSION_FULL,
          ProblemCode.THREAD_BUSY,
          ProblemCode.UNAVAILABLE,
          ProblemCode.TASK_NOT_FOUND,
          ProblemCode.TASK_CLOSED,
          ProblemCode.TASK_BLOCKED);

  /// Stands before a task's id among those of runs.
  private static final String TASK = "task ";

  /// How often runs are looked at again that go on moving.
  private static final int LOOKS_MAX = 3;

  private static final String JOB = "job ";

  private static final String PARENT = "parent ";

  /// Among what was stopped: all that a pause holds back.
  private static final String PAUSED = "paused";

  static final String STOPPED = "The task was cancelled: ";

  private final TaskLog tasks;
  private final TaskGraph graph;
  private final LinkTasks links;
  private final RunLog runs;
  private final TurnOrder turns;
  private final CancelRun cancel;
  private final SubmitRun submit;
  private final TaskJobs jobs;
  private final AsideRuns aside;
  private final Recent<TaskKey, Known> known = new Recent<>();

  /// The runs of tasks: how they are read, sent, ended and submitted; and their jobs.
  public record Runs(
      RunLog log, TurnOrder turns, CancelRun cancel, SubmitRun submit, TaskJobs jobs) {}

  public AdvanceTask(TaskLog tasks, LinkTasks links, Runs runs) {
    this.tasks = tasks;
    this.graph = new TaskGraph(tasks);
    this.links = links;
    this.runs = runs.log();
    this.turns = runs.turns();
    this.cancel = runs.cancel();
    this.submit = runs.submit();
    this.jobs = runs.jobs();
    this.aside = new AsideRuns(runs.log(), runs.cancel(), _ -> true);
  }

  /// What this process did about the runs and children of a task: they need no second look until
  /// something is told of them.
  private record Known(Set<String> looked, Set<String> stopped) {
    Known() {
      this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
    }
  }

  /// Advances the task, of which some runs are in these states.
  public void advance(TaskKey task, Collection<RunState.Existing> seen) {
    Known before = known.get(task).orElseGet(Known::new);
    known.put(task, before);
    advance(task, seen, before);
  }

  /// Advances the task of a run, if it has one. An item of a job is told to that.
  public void told(RunState state) {
    if (state instanceof RunState.Existing run) {
      TaskRun of = run.facts().request().task();
      if (of != null && run.facts().request().item() == null) {
        advance(new TaskKey(run.facts().run().tenant(), of.taskId()), List.of(run));
      }
    }
  }

  /// The same by a look at each of the task's runs and edges: what was lost is found.
  public void check(TaskKey task) {
    if (tasks.load(task) instanceof TaskState.Existing there && !there.closed()) {
      TaskFacts facts = there.facts();
      facts.pending().stream()
          .filter(edge -> edge.kind().decides())
          .forEach(edge -> links.settle(wish(facts, edge)));
    }
    advance(task, List.of(), new Known());
  }

  private static LinkTasks.Wish wish(TaskFacts task, TaskEdge edge) {
    return new LinkTasks.Wish(task.task(), edge.kind(), edge.to(), edge.reason(), null);
  }

  private void advance(TaskKey key, Collection<RunState.Existing> told, Known seen) {
    if (!(tasks.load(key) instanceof TaskState.Existing task)) {
      return;
    }
    boolean open = !task.status().ended();
    TaskState.Existing now = open ? saw(withParent(task, seen), told, seen) : task;
    if (now.status() == TaskStatus.CANCELLING) {
      stop(now.facts(), seen);
      now = existing(tasks.execute(key, now, new TaskCommand.Reached()).state());
    }
    aside(now.facts(), told);
    goOn(now, seen);
    if (now.facts().startable()) {
      start(now.facts());
    }
    if (now.facts().ended() == TaskStatus.COMPLETED) {
      release(now.facts(), seen);
    }
  }

  /// Does what whoever paused or resumed the task did not, or did late.
  private void aside(TaskFacts task, Collection<RunState.Existing> told) {
    String paused = task.paused();
    boolean atWork = task.active().anyMatch(one -> one.status() != TaskStatus.PAUSED);
    boolean rests =
        task.active().anyMatch(one -> one.status() == TaskStatus.PAUSED)
            || told.stream().anyMatch(run -> run.facts().putAside());
    if (task.stopping()) {
      return;
    }
    if (paused == null && rests) {
      aside.goOn(task, by(task));
    } else if (paused != null && atWork && aside.mayRest(task)) {
      var _ = aside.rest(task, paused, by(task));
    }
  }

  /// Has jobs go on once a pause that this process saw is over. Where that is lost, they look at
  /// their task themselves, each minute.
  private void goOn(TaskState.Existing task, Known seen) {
    if (task instanceof TaskState.Open && task.facts().paused() != null) {
      seen.stopped().add(PAUSED);
    } else if (seen.stopped().remove(PAUSED)) {
      String tenant = task.facts().task().tenant();
      jobs.goOn(task.facts().jobs().stream().map(job -> new JobKey(tenant, job)).toList());
    }
  }

  /// The task, which is cancelled if what is above it was before the task was there: that could not
  /// tell it.
  private TaskState.Existing withParent(TaskState.Existing task, Known seen) {
    TaskFacts facts = task.facts();
    Optional<String> parent = facts.parent();
    if (parent.isEmpty() || facts.stopping() || !seen.looked().add(PARENT + parent.get())) {
      return task;
    }
    try {
      String cancel = graph.above(facts).cancel();
      return cancel == null
          ? task
          : existing(
              tasks.execute(facts.task(), task, new TaskCommand.Cancel(cancel, by(facts))).state());
    } catch (RuntimeException e) {
      seen.looked().remove(PARENT + parent.get());
      throw e;
    }
  }

  private TaskState.Existing saw(
      TaskState.Existing task, Collection<RunState.Existing> told, Known seen) {
    List<TaskCommand.Seen> news = new ArrayList<>();
    told.forEach(run -> news.add(TaskRuns.seen(run)));
    for (TaskAttempt attempt : task.facts().active().toList()) {
      boolean isTold = news.stream().anyMatch(one -> one.runId().equals(attempt.runId()));
      if (!isTold && seen.looked().add(attempt.runId())) {
        look(task.facts(), attempt, seen).ifPresent(news::add);
      }
    }
    try {
      return told(task, new TaskCommand.Saw(news, completed(task.facts())));
    } catch (RuntimeException e) {
      seen.looked().clear();
      throw e;
    }
  }

  /// Tells the task. A run that was seen to have moved is looked at again after that: another
  /// process may have told of its next state before, when that was no news.
  private TaskState.Existing told(TaskState.Existing task, TaskCommand.Saw saw) {
    TaskKey key = task.facts().task();
    var result = tasks.execute(key, task, saw);
    List<TaskCommand.Seen> later = later(key, result.appended());
    for (int i = 0; i < LOOKS_MAX && !later.isEmpty(); i++) {
      result = tasks.execute(key, result.state(), new TaskCommand.Saw(later, List.of()));
      later = later(key, result.appended());
    }
    return existing(result.state());
  }

  /// The states of runs that are not as it was told just now.
  private List<TaskCommand.Seen> later(TaskKey task, List<StoredTaskEvent> appended) {
    List<TaskCommand.Seen> later = new ArrayList<>();
    for (StoredTaskEvent stored : appended) {
      if (stored.event() instanceof TaskEvent.Moved moved
          && moved.at() > 0
          && runs.load(new RunKey(task.tenant(), moved.runId())) instanceof RunState.Existing run
          && run.sequence() > moved.at()) {
        later.add(TaskRuns.seen(run));
      }
    }
    return later;
  }

  /// Looks at a run of which this process knows nothing, and writes one that is not there.
  private Optional<TaskCommand.Seen> look(TaskFacts task, TaskAttempt attempt, Known seen) {
    RunKey run = new RunKey(task.task().tenant(), attempt.runId());
    try {
      RunState state = runs.load(run);
      if (state instanceof RunState.Existing existing) {
        return Optional.of(TaskRuns.seen(existing));
      }
      Optional<RunRequest> request = tasks.request(task.task(), attempt.storedAt());
      if (request.isEmpty()) {
        return Optional.of(
            new TaskCommand.Seen(attempt.runId(), 0, TaskStatus.LOST, null, notKept(), false));
      }
      begin(run, request.get(), by(task));
      return Optional.empty();
    } catch (RuntimeException e) {
      seen.looked().remove(attempt.runId());
      throw e;
    }
  }

  private void begin(RunKey run, RunRequest request, Requester by) {
    RunCommand.Submit command = new RunCommand.Submit(request.decided(null), by);
    if (runs.execute(run, RunState.absent(), command).state()
        instanceof RunState.Existing existing) {
      try {
        var _ = turns.send(existing, 0);
      } catch (PortUnavailable _) {
        return;
      }
    }
  }

  private static Failure notKept() {
    return new Failure(
        "request_not_kept",
        Category.CALLER,
        "What the run asks for is not kept any more. Start the task with a request.");
  }

  /// The tasks that it waits for and that are completed.
  private List<String> completed(TaskFacts task) {
    return task.blockers().stream()
        .filter(
            id ->
                tasks.load(new TaskKey(task.task().tenant(), id))
                        instanceof TaskState.Existing other
                    && other.facts().ended() == TaskStatus.COMPLETED)
        .toList();
  }

  /// Tells everything below, and ends the runs. A run that is named but not there is there by then:
  /// whoever was about to write it finds it.
  private void stop(TaskFacts task, Known seen) {
    String reason = STOPPED + task.cancel();
    String tenant = task.task().tenant();
    stopBelow(task, task, seen);
    for (TaskAttempt attempt : task.active().toList()) {
      if (!seen.stopped().contains(attempt.runId())) {
        var _ = cancel.cancel(new RunKey(tenant, attempt.runId()), reason, by(task));
        seen.stopped().add(attempt.runId());
      }
    }
  }

  /// Tells what is below a task, which is one that is being cancelled or one that was completed
  /// below it: the intent passes through that.
  private void stopBelow(TaskFacts cancelled, TaskFacts task, Known seen) {
    String tenant = task.task().tenant();
    for (String child : task.to(EdgeKind.CHILD)) {
      if (!seen.stopped().contains(TASK + child)) {
        stop(cancelled, task, new TaskKey(tenant, child), seen);
        seen.stopped().add(TASK + child);
      }
    }
    for (String job : task.jobs()) {
      if (!seen.stopped().contains(JOB + job)) {
        jobs.cancel(
            new JobKey(tenant, job),
            task.task().taskId(),
            STOPPED + cancelled.cancel(),
            by(cancelled));
        seen.stopped().add(JOB + job);
      }
    }
  }

  private void stop(TaskFacts cancelled, TaskFacts parent, TaskKey child, Known seen) {
    TaskState there = tasks.load(child);
    if (there instanceof TaskState.Existing below
        && below.facts().parent().equals(Optional.of(parent.task().taskId()))) {
      String reason = String.valueOf(cancelled.cancel());
      TaskCommand.Cancel cancelIt = new TaskCommand.Cancel(reason, by(cancelled));
      var told = tasks.execute(child, below, cancelIt);
      if (told.decision() instanceof TaskDecision.Refuse) {
        stopBelow(cancelled, existing(told.state()).facts(), seen);
      }
    }
  }

  /// Starts what was held back. If there is no room for it now, `sweep` tries again.
  private void start(TaskFacts task) {
    Optional<RunRequest> held = tasks.request(task.task(), task.heldAt());
    if (held.isEmpty()) {
      fail(task, notKept());
      return;
    }
    TaskRun of = new TaskRun(task.task().taskId(), task.attempts().size() + 1, task.heldReason());
    SubmitRun.By by = new SubmitRun.By(task.task().tenant(), by(task));
    if (submit.submit(by, ofTask(held.get(), of), Optional.empty())
            instanceof SubmitRun.Result.Rejected(Problem problem)
        && !LATER.contains(problem.code())) {
      fail(task, new Failure(problem.code().code(), Category.CALLER, problem.detail()));
    }
  }

  /// The request as a run of its own turn: the turn that it named was that of an earlier run, if
  /// this is what was taken back.
  private static RunRequest ofTask(RunRequest held, TaskRun of) {
    InThread in = held.inThread();
    return held.in(in == null ? null : InThread.of(in.threadId(), null, null)).of(of);
  }

  private void fail(TaskFacts task, Failure why) {
    TaskKey key = task.task();
    var _ = tasks.execute(key, tasks.load(key), new TaskCommand.Fail(why, null));
  }

  /// Tells those that wait for a task that it is completed. Each of them starts by the record of
  /// that: two hundred starts would take longer than a call may.
  private void release(TaskFacts task, Known seen) {
    TaskCommand completed = new TaskCommand.Saw(List.of(), List.of(task.task().taskId()));
    for (String waiting : task.to(EdgeKind.BLOCKS)) {
      if (seen.looked().add(TASK + waiting)) {
        try {
          TaskKey key = new TaskKey(task.task().tenant(), waiting);
          if (tasks.load(key) instanceof TaskState.Open waits) {
            var _ = tasks.execute(key, waits, completed);
          }
        } catch (RuntimeException e) {
          seen.looked().remove(TASK + waiting);
          throw e;
        }
      }
    }
  }

  private static Requester by(TaskFacts task) {
    return Requester.of(Objects.requireNonNullElse(task.actor(), NOBODY));
  }

  private static TaskState.Existing existing(TaskState state) {
    return (TaskState.Existing) state;
  }
}
