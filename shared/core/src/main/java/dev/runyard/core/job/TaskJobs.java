package dev.runyard.core.job;

import dev.runyard.core.event.Requester;
import java.util.List;

/// The jobs that are parts of tasks, as their tasks tell them what is to become of them.
public final class TaskJobs {
  private final JobLog jobs;
  private final AdvanceJob advance;

  public TaskJobs(JobLog jobs, AdvanceJob advance) {
    this.jobs = jobs;
    this.advance = advance;
  }

  /// Cancels the job if it is the task's. One that is not there yet looks at its task when it is.
  public void cancel(JobKey job, String taskId, String reason, Requester by) {
    JobState there = jobs.load(job);
    if (there instanceof JobState.Open(JobFacts facts) && taskId.equals(facts.terms().taskId())) {
      var _ = jobs.execute(job, there, new JobCommand.Cancel(reason, by));
    }
  }

  /// Starts items that the pause of their task has held back.
  public void goOn(List<JobKey> all) {
    advance.goOn(all);
  }
}
