package dev.runyard.core.job;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.OnceEach;
import dev.runyard.core.request.JobItem;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a batch of changes says of jobs: runs of items that have ended, and jobs that changed. Each
/// job is advanced once, however many of its runs are in the batch; whoever asks again gets the
/// same result. Jobs do not wait for each other.
public final class EndedItems {
  private final AdvanceJob advance;
  private final Map<JobKey, List<RunState.Closed>> ended = new HashMap<>();
  private final Map<RunKey, JobKey> jobs = new HashMap<>();
  private final OnceEach<JobKey> done = new OnceEach<>();

  public EndedItems(AdvanceJob advance) {
    this.advance = advance;
  }

  /// A run is in this state now.
  public synchronized void saw(RunState state) {
    if (state instanceof RunState.Closed run) {
      JobItem item = run.facts().request().item();
      if (item != null) {
        RunKey key = run.facts().run();
        JobKey job = new JobKey(key.tenant(), item.jobId());
        jobs.put(key, job);
        ended.computeIfAbsent(job, _ -> new ArrayList<>()).add(run);
      }
    }
  }

  /// A job has changed.
  public synchronized void named(JobKey job) {
    ended.computeIfAbsent(job, _ -> new ArrayList<>());
  }

  /// True when there are jobs to advance.
  public synchronized boolean any() {
    return !ended.isEmpty();
  }

  /// The jobs to advance, each with its runs that have ended.
  public synchronized Map<JobKey, List<RunState.Closed>> all() {
    Map<JobKey, List<RunState.Closed>> all = new LinkedHashMap<>();
    ended.forEach((job, runs) -> all.put(job, List.copyOf(runs)));
    return all;
  }

  /// Advances the job of the run, if the run was seen and has one.
  public void advanceOf(RunKey run) {
    JobKey job = jobOf(run);
    if (job != null) {
      advance(job);
    }
  }

  private synchronized @Nullable JobKey jobOf(RunKey run) {
    return jobs.get(run);
  }

  /// Advances the job, and fails if that fails.
  public void advance(JobKey job) {
    done.run(job, () -> advance.advance(job, endedOf(job)));
  }

  private synchronized List<RunState.Closed> endedOf(JobKey job) {
    return List.copyOf(ended.getOrDefault(job, List.of()));
  }
}
