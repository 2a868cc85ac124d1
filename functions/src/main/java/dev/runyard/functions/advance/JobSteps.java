package dev.runyard.functions.advance;

import dev.runyard.core.job.AdvanceJob;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Takes the steps of jobs aside, one after another, where all changes of a stack come to the
/// function in turn: the end of a run that somebody waits for does not wait until the runs of fifty
/// items are written. What a job is told meanwhile is one step, and jobs take turns.
///
/// What was told is only in memory. A job that takes no step for [JobState#CHECK_SECONDS] is looked
/// at by `sweep`; one that an earlier process was told of, at once.
final class JobSteps {
  /// How often a step is tried again that finds no store, before it is left to `sweep`.
  static final int TRIES_MAX = 5;

  private final AdvanceJob advance;
  private final Executor thread;
  private final BiConsumer<JobKey, RuntimeException> failed;
  private final Map<JobKey, Told> told = new LinkedHashMap<>();
  private boolean working;

  /// @param thread on which they are taken, one at a time
  /// @param failed gets jobs whose step failed for good
  JobSteps(AdvanceJob advance, Executor thread, BiConsumer<JobKey, RuntimeException> failed) {
    this.advance = advance;
    this.thread = thread;
    this.failed = failed;
  }

  /// What a job has to know.
  ///
  /// @param look whether all of its runs are looked at
  private record Told(JobKey job, List<RunState.Closed> ended, boolean look, int tries) {
    Told and(@Nullable Told more) {
      if (more == null) {
        return this;
      }
      List<RunState.Closed> all = new ArrayList<>(ended);
      all.addAll(more.ended);
      return new Told(job, all, look || more.look, Math.max(tries, more.tries));
    }
  }

  /// These jobs have changed, and these runs of them have ended.
  void tell(Map<JobKey, List<RunState.Closed>> ended) {
    ended.forEach((job, runs) -> add(new Told(job, runs, false, 0)));
  }

  /// Looks at jobs of which an earlier process may have been told.
  void look(Supplier<List<JobKey>> jobs) {
    thread.execute(
        () -> {
          try {
            jobs.get().forEach(job -> add(new Told(job, List.of(), true, 0)));
          } catch (PortUnavailable _) {
            return; // `sweep` does so within a minute.
          }
        });
  }

  private synchronized void add(Told more) {
    told.put(more.job(), more.and(told.remove(more.job())));
    if (!working) {
      working = true;
      thread.execute(this::work);
    }
  }

  /// Until nothing is left, or the stack is closing.
  private void work() {
    for (Optional<Told> next = next(); next.isPresent(); next = next()) {
      step(next.get());
    }
  }

  private synchronized Optional<Told> next() {
    Optional<JobKey> first =
        Thread.currentThread().isInterrupted()
            ? Optional.empty()
            : told.keySet().stream().findFirst();
    working = first.isPresent();
    return first.map(told::remove);
  }

  private void step(Told next) {
    try {
      if (next.look()) {
        advance.check(next.job());
      }
      advance.advance(next.job(), next.ended());
    } catch (PortUnavailable e) {
      if (Thread.currentThread().isInterrupted() || next.tries() < TRIES_MAX) {
        again(next);
      } else {
        failed.accept(next.job(), e);
      }
    } catch (RuntimeException e) {
      failed.accept(next.job(), e);
    }
  }

  private synchronized void again(Told next) {
    Told same = new Told(next.job(), next.ended(), next.look(), next.tries() + 1);
    told.put(same.job(), same.and(told.remove(same.job())));
  }
}
