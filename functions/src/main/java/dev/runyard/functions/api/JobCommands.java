package dev.runyard.functions.api;

import dev.runyard.core.job.JobJson;
import dev.runyard.core.job.JobRequestReader;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.ManageJobs;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.runtime.RuntimeJobCommand;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.functions.http.IdempotencyKey;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.proxy.ApiRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The commands about jobs, by the means that their resources have too: a key that was used with
/// the one leads to the same with the other.
final class JobCommands {
  private final ManageJobs jobs;
  private final JobRequestReader reader;
  private final JobsApi shown;

  JobCommands(ManageJobs jobs, JobRequestReader reader, JobsApi shown) {
    this.jobs = jobs;
    this.reader = reader;
    this.shown = shown;
  }

  Reply execute(ApiRequest request, CommandAnswer answer, RuntimeJobCommand command) {
    return IdempotencyKey.with(request, key -> execute(request, answer, command, key), Reply::of);
  }

  private Reply execute(
      ApiRequest request, CommandAnswer answer, RuntimeJobCommand command, Optional<String> key) {
    String tenant = request.caller().tenant();
    SubmitRun.By by = new SubmitRun.By(tenant, request.caller().requester());
    return switch (command) {
      case RuntimeJobCommand.ListJobs list ->
          answer.of(shown.list(tenant, list.window().limit(), list.window().cursor()));
      case RuntimeJobCommand.GetJob get ->
          jobs.find(tenant, get.jobId())
              .map(job -> answer.ofJob("done", job, null, JobJson.of(job)))
              .orElseGet(() -> Reply.of(ManageJobs.notFound()));
      case RuntimeJobCommand.CreateJob create ->
          made(answer, jobs.create(by, reader, create.body(), key));
      case RuntimeJobCommand.AddJobItems add ->
          made(answer, jobs.add(by, add.jobId(), reader, add.body(), key));
      case RuntimeJobCommand.StartJob start ->
          changed(answer, "accepted", null, jobs.start(by, start.jobId(), key));
      case RuntimeJobCommand.CancelJob cancel ->
          cancelled(answer, by, cancel, jobs.cancel(by, cancel.jobId(), cancel.reason(), key));
      case RuntimeJobCommand.RetryJobItem retry ->
          changed(
              answer, "accepted", retry.item(), jobs.retry(by, retry.jobId(), retry.item(), key));
      case RuntimeJobCommand.ReportJobItem report ->
          changed(
              answer,
              "done",
              report.item(),
              jobs.report(by, report.jobId(), report.item(), report.note(), key));
    };
  }

  /// What was made answers the same whenever it is asked for again.
  private static Reply made(CommandAnswer answer, ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Rejected(Problem problem) -> Reply.of(CommandAnswer.inParams(problem));
      case ManageJobs.Result.Done(JobState.Existing job, boolean _) ->
          answer.ofJob("done", job, null, JobJson.of(job));
    };
  }

  private static Reply changed(
      CommandAnswer answer, String outcome, @Nullable Integer item, ManageJobs.Result result) {
    return switch (result) {
      case ManageJobs.Result.Rejected(Problem problem) -> Reply.of(CommandAnswer.inParams(problem));
      case ManageJobs.Result.Done(JobState.Existing job, boolean changed) ->
          answer.ofJob(changed ? outcome : "no_op", job, item, JobJson.of(job));
    };
  }

  /// There is nothing to cancel of a job that has ended.
  private Reply cancelled(
      CommandAnswer answer,
      SubmitRun.By by,
      RuntimeJobCommand.CancelJob cancel,
      ManageJobs.Result result) {
    boolean ended =
        result instanceof ManageJobs.Result.Rejected(Problem problem)
            && problem.code() == ProblemCode.JOB_CLOSED;
    Optional<JobState.Existing> job =
        ended ? jobs.find(by.tenant(), cancel.jobId()) : Optional.empty();
    return job.map(there -> answer.ofJob("no_op", there, null, JobJson.of(there)))
        .orElseGet(() -> changed(answer, "accepted", null, result));
  }
}
