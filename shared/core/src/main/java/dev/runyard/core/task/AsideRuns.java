package dev.runyard.core.task;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.function.Predicate;

/// Has the runs of a paused task give their places up, and lets them go on. One that no runner has
/// had is taken back: it ends, and starts again as another run. Any other is put aside, and goes on
/// where it was.
public final class AsideRuns {
  /// Tells in a run's log why it was ended or put aside.
  private static final String PAUSED = "The task was paused: ";

  private final RunLog runs;
  private final CancelRun cancel;
  private final Predicate<RunFacts> elsewhere;

  /// @param elsewhere whether the agent of a run can go on at another runner
  public AsideRuns(RunLog runs, CancelRun cancel, Predicate<RunFacts> elsewhere) {
    this.runs = runs;
    this.cancel = cancel;
    this.elsewhere = elsewhere;
  }

  /// True for a run that was taken back, and not ended by somebody who had cancelled it before.
  static boolean tookBack(RunState run) {
    return run instanceof RunState.Cancelled ended
        && ended.reason().startsWith(PAUSED)
        && CancelRun.isWithdrawn(ended);
  }

  /// True if all runs of the task can give their places up. Only one can be taken back, and only if
  /// it is alone: the task starts one when it is resumed.
  boolean mayRest(TaskFacts task) {
    List<RunState> active = states(task);
    boolean taken = active.stream().anyMatch(RunState.Created.class::isInstance);
    return active.stream().allMatch(this::mayRest) && (!taken || active.size() == 1);
  }

  private boolean mayRest(RunState run) {
    return switch (run) {
      case RunState.Absent _ -> false;
      case RunState.InProgress _, RunState.Retrying _, RunState.Paused _ ->
          isAside(run) || elsewhere.test(((RunState.Existing) run).facts());
      case RunState.Created _,
          RunState.CancellingIdle _,
          RunState.Cancelling _,
          RunState.Closed _ ->
          true;
    };
  }

  /// Has them do that. False if one of them cannot after all.
  boolean rest(TaskFacts task, String why, Requester by) {
    String reason = PAUSED + why;
    boolean all = true;
    for (RunKey run : active(task)) {
      RunState now = runs.load(run);
      boolean created = now instanceof RunState.Created;
      if (!created || !cancel.withdraw(run, reason, by)) {
        RunState begun = created ? runs.load(run) : now;
        all &= mayRest(begun);
        if (all && !isAside(begun)) {
          cancel.putAside(run, reason, by);
        }
      }
    }
    return all;
  }

  private static boolean isAside(RunState run) {
    return run instanceof RunState.Existing existing && existing.facts().putAside();
  }

  /// False while a run that was, or is to be, taken back has not ended as far as the task knows:
  /// only after that it can start again.
  boolean mayGoOn(TaskFacts task) {
    return states(task).stream()
        .noneMatch(
            run ->
                run instanceof RunState.Absent
                    || run instanceof RunState.Created
                    || CancelRun.isWithdrawn(run));
  }

  /// Lets all that were put aside go on.
  void goOn(TaskFacts task, Requester by) {
    active(task).forEach(run -> cancel.goOn(run, by));
  }

  private List<RunState> states(TaskFacts task) {
    return active(task).stream().map(runs::load).toList();
  }

  private static List<RunKey> active(TaskFacts task) {
    return task.active().map(attempt -> new RunKey(task.task().tenant(), attempt.runId())).toList();
  }
}
