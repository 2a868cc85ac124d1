package dev.runyard.core.job;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.log.StreamLog;
import java.time.InstantSource;

/// The one way to change a job: commands executed on its stream ([StreamLog]).
public final class JobLog {
  private final StreamLog<JobState, JobCommand, JobDecision, StoredJobEvent> log;

  /// @param writer names the process in what it appends
  public JobLog(
      JobStream type,
      EventLog log,
      Snapshots<JobState> snapshots,
      InstantSource clock,
      Ids ids,
      String writer) {
    this.log = new StreamLog<>(type, log, snapshots, clock, ids, writer);
  }

  /// The job's current state, which includes every acknowledged append.
  public JobState load(JobKey job) {
    return log.load(job);
  }

  /// Executes `command` on the job, whose state is `from` or later.
  ///
  /// @throws dev.runyard.core.problem.PortUnavailable when the log did not answer; the command may
  ///   have been executed, and executing it again is safe
  public StreamLog.Result<JobState, JobDecision, StoredJobEvent> execute(
      JobKey job, JobState from, JobCommand command) {
    return log.execute(job, from, command);
  }
}
