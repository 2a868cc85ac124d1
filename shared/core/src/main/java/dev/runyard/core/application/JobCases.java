package dev.runyard.core.application;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.job.AdvanceJob;
import dev.runyard.core.job.ItemRequests;
import dev.runyard.core.job.ItemRuns;
import dev.runyard.core.job.JobLog;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobRequestReader;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.JobStream;
import dev.runyard.core.job.JobTasks;
import dev.runyard.core.job.ListItems;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.job.ModelJobs;
import dev.runyard.core.job.ProjectJob;
import dev.runyard.core.job.SweepJobs;
import dev.runyard.core.job.TaskJobs;
import dev.runyard.core.log.RecentStates;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.quota.RunAdmission;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import java.time.InstantSource;

/// The use cases of jobs in one process, which remember what they have seen of them.
public final class JobCases {
  private final Ports ports;
  private final ItemRuns runs;
  private final RunAdmission quota;
  private final JobTasks tasks;
  private final Origin origin;
  private final JobLog log;
  private final ItemRequests requests;
  private final AdvanceJob advance;
  private final ProjectJob project;

  /// @param writer names it in what it appends
  record Origin(InstantSource clock, Ids ids, String writer) {}

  JobCases(
      Ports ports,
      ItemRuns runs,
      RunAdmission quota,
      JobTasks tasks,
      Origin origin,
      JobStream type) {
    this.ports = ports;
    this.tasks = tasks;
    this.runs = runs;
    this.quota = quota;
    this.origin = origin;
    Snapshots<JobState> states =
        new RecentStates<>(new ModelJobs(ports.jobs().models()), origin.clock());
    this.log =
        new JobLog(type, ports.events(), states, origin.clock(), origin.ids(), origin.writer());
    this.requests = new ItemRequests(ports.jobs().items());
    this.advance = new AdvanceJob(log, requests, runs, tasks, origin.clock(), origin.ids());
    this.project = new ProjectJob(ports.events(), ports.jobs());
  }

  /// The same by other rules, with which tests plant a defect.
  public JobCases by(JobStream type) {
    return new JobCases(ports, runs, quota, tasks, origin, type);
  }

  /// Reads what jobs are created with.
  ///
  /// @param check looks at what requests name
  public JobRequestReader reader(RunRequestReader reader, SubmitRun.Check check) {
    return new JobRequestReader(
        reader,
        (tenant, request) -> quota.above(tenant, request).or(() -> check.refusal(tenant, request)));
  }

  public ManageJobs manage() {
    return new ManageJobs(
        log,
        new ManageJobs.Stored(ports.jobs().models(), requests, ports.keys()),
        tasks,
        origin.clock(),
        origin.ids());
  }

  public ListItems listItems() {
    return new ListItems(ports.jobs().items());
  }

  public JobModels models() {
    return ports.jobs().models();
  }

  /// What tasks do to their jobs.
  TaskJobs ofTasks() {
    return new TaskJobs(log, advance);
  }

  public JobLog log() {
    return log;
  }

  public AdvanceJob advanceJob() {
    return advance;
  }

  public ProjectJob projectJob() {
    return project;
  }

  public SweepJobs sweepJobs() {
    return new SweepJobs(models(), advance, project);
  }
}
