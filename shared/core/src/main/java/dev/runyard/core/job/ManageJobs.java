package dev.runyard.core.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.submit.SubmitRun;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What tenants do with jobs. What items ask for is stored before the job's log names it, so that
/// nothing is named that is not there.
public final class ManageJobs {
  private static final String CREATE = "POST /v1/jobs";
  private static final String START = "POST /v1/jobs/{id}/start";
  private static final String CANCEL = "POST /v1/jobs/{id}/cancel";
  private static final String RETRY = "POST /v1/jobs/{id}/items/{item}/retry";
  private static final String REPORT = "POST /v1/jobs/{id}/items/{item}/report";

  /// Whether a job took the start or the cancel of a key when that came first.
  private static final String TAKEN = "taken";

  private static final String REFUSED = "refused";

  private final JobLog jobs;
  private final JobModels models;
  private final ItemRequests requests;
  private final IdempotencyStore keys;
  private final JobTasks tasks;
  private final InstantSource clock;
  private final Ids ids;

  /// What is stored besides the log.
  public record Stored(JobModels models, ItemRequests requests, IdempotencyStore keys) {}

  public ManageJobs(JobLog jobs, Stored stored, JobTasks tasks, InstantSource clock, Ids ids) {
    this.jobs = jobs;
    this.tasks = tasks;
    this.models = stored.models();
    this.requests = stored.requests();
    this.keys = stored.keys();
    this.clock = clock;
    this.ids = ids;
  }

  /// What became of a request.
  public sealed interface Result {
    /// It was done.
    ///
    /// @param changed false when the job was already as it was wanted
    record Done(JobState.Existing job, boolean changed) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// Creates the job, once for its id or key.
  public Result create(
      SubmitRun.By by, JobRequestReader reader, ObjectNode body, Optional<String> key) {
    return switch (reader.create(by.tenant(), body)) {
      case JobRequestReader.Result.Rejected<JobRequest> no -> new Result.Rejected(no.problem());
      case JobRequestReader.Result.Accepted<JobRequest> yes -> {
        String fingerprint = IdempotencyHeader.fingerprint(by.tenant(), CREATE, body);
        Optional<String> id = yes.value().jobId().or(() -> id(by.tenant(), key, fingerprint));
        yield id.map(known -> create(by, new JobKey(by.tenant(), known), yes.value(), fingerprint))
            .orElseGet(() -> rejected(JobDecision.Reason.MISMATCH, 0));
      }
    };
  }

  /// The id that the key leads to; empty when it was used with another content.
  private Optional<String> id(String tenant, Optional<String> key, String fingerprint) {
    String fresh = ids.runId(clock.instant());
    return bound(tenant, key, fingerprint, fresh);
  }

  /// What the key leads to, which is `fresh` for a new key and for none.
  private Optional<String> bound(
      String tenant, Optional<String> key, String fingerprint, String fresh) {
    if (key.isEmpty()) {
      return Optional.of(fresh);
    }
    return switch (keys.bind(
        new IdempotencyStore.Claim(tenant, key.get(), fingerprint, fresh, clock.instant()))) {
      case IdempotencyStore.Binding.Fresh _ -> Optional.of(fresh);
      case IdempotencyStore.Binding.Known known -> Optional.of(known.runId());
      case IdempotencyStore.Binding.Mismatch _ -> Optional.empty();
    };
  }

  private Result create(SubmitRun.By by, JobKey job, JobRequest request, String fingerprint) {
    JobTerms asked = request.terms();
    Optional<Problem> refusal = ofTask(job, asked.taskId(), by.requester());
    if (refusal.isPresent()) {
      return new Result.Rejected(refusal.get());
    }
    JobTerms terms =
        new JobTerms(
            asked.sessionId().isEmpty() ? job.jobId() : asked.sessionId(),
            asked.concurrency(),
            asked.onFailed(),
            asked.maxRuntimeSeconds(),
            asked.maxTokens(),
            asked.maxCostUsd(),
            fingerprint,
            asked.taskId(),
            asked.taskId() == null ? null : tasks.root(job, asked.taskId()));
    requests.putCommon(job, fingerprint, request.common());
    Optional<ItemBatch> batch =
        request.items().isEmpty()
            ? Optional.empty()
            : Optional.of(requests.put(job, request.items(), ""));
    return executed(job, JobState.absent(), new JobCommand.Create(terms, batch, by.requester()), 0);
  }

  /// Why the task that it is to be a part of takes no such job. One that is there was taken.
  private Optional<Problem> ofTask(JobKey job, @Nullable String taskId, Requester by) {
    return taskId != null && jobs.load(job) instanceof JobState.Absent
        ? tasks.refusal(job, taskId, by)
        : Optional.empty();
  }

  /// Adds items, once for a key.
  public Result add(
      SubmitRun.By by,
      String jobId,
      JobRequestReader reader,
      ObjectNode body,
      Optional<String> key) {
    return of(
        by,
        jobId,
        job -> {
          JobKey place = job.facts().job();
          Optional<ObjectNode> common = requests.common(place, job.facts().terms().fingerprint());
          if (common.isEmpty()) {
            return rejected(JobDecision.Reason.CLOSED, 0);
          }
          return switch (reader.add(by.tenant(), common.get(), body)) {
            case JobRequestReader.Result.Rejected<List<RunRequest>> no ->
                new Result.Rejected(no.problem());
            case JobRequestReader.Result.Accepted<List<RunRequest>> yes ->
                executed(
                    place,
                    job,
                    new JobCommand.Add(
                        requests.put(place, yes.value(), key.map(ItemRequests::keyOf).orElse("")),
                        by.requester()),
                    0);
          };
        });
  }

  /// Starts a job, once for a key: one that was started and has ended since is answered as it is.
  public Result start(SubmitRun.By by, String jobId, Optional<String> key) {
    return of(
        by,
        jobId,
        job ->
            once(
                job,
                bound(by.tenant(), key, fingerprint(job, START, 0, ""), taken(starts(job))),
                job.facts().startedAt() != null,
                new JobCommand.Start(by.requester())));
  }

  /// Cancels a job, once for a key: one that was stopped and has ended since is answered as it is.
  public Result cancel(SubmitRun.By by, String jobId, String reason, Optional<String> key) {
    return of(
        by,
        jobId,
        job ->
            once(
                job,
                bound(by.tenant(), key, fingerprint(job, CANCEL, 0, reason), taken(!job.closed())),
                job.facts().stop() != null,
                new JobCommand.Cancel(reason, by.requester())));
  }

  /// What the command does, unless the key was used for it before and it has been done.
  ///
  /// @param bound what the key leads to; empty when it was used with another content
  private Result once(
      JobState.Existing job, Optional<String> bound, boolean done, JobCommand command) {
    if (bound.isEmpty()) {
      return rejected(JobDecision.Reason.MISMATCH, 0);
    }
    return bound.get().equals(TAKEN) && done
        ? new Result.Done(job, false)
        : executed(job.facts().job(), job, command, 0);
  }

  private static boolean starts(JobState.Existing job) {
    return !job.closed() && job.facts().stop() == null;
  }

  /// What a key is bound to: so a refusal stays one.
  private static String taken(boolean taken) {
    return taken ? TAKEN : REFUSED;
  }

  /// Runs a failed item again, once for a key: the key is bound to how often the item has run.
  public Result retry(SubmitRun.By by, String jobId, int item, Optional<String> key) {
    return ofItem(
        by,
        jobId,
        item,
        job -> {
          String runs = String.valueOf(job.facts().items().attempts(item));
          return bound(by.tenant(), key, fingerprint(job, RETRY, item, ""), runs)
              .map(
                  bound ->
                      new JobCommand.Retry(
                          item, key.isEmpty() ? null : Integer.valueOf(bound), by.requester()))
              .map(retry -> executed(job.facts().job(), job, retry, item))
              .orElseGet(() -> rejected(JobDecision.Reason.MISMATCH, item));
        });
  }

  /// Says what is to be thought of a failed item, which is then done with; once for a key.
  public Result report(SubmitRun.By by, String jobId, int item, String note, Optional<String> key) {
    return ofItem(
        by,
        jobId,
        item,
        job -> {
          String fresh = ids.runId(clock.instant());
          Optional<String> bound =
              bound(by.tenant(), key, fingerprint(job, REPORT, item, note), fresh);
          if (bound.isEmpty()) {
            return rejected(JobDecision.Reason.MISMATCH, item);
          }
          boolean repeated = !bound.get().equals(fresh);
          return repeated && job.facts().items().reported().has(item)
              ? new Result.Done(job, false)
              : executed(
                  job.facts().job(), job, new JobCommand.Report(item, note, by.requester()), item);
        });
  }

  private static String fingerprint(JobState.Existing job, String route, int item, String note) {
    ObjectNode asked = JsonNodeFactory.instance.objectNode();
    JobKey key = job.facts().job();
    asked.put("job_id", key.jobId()).put("item", item).put("note", note);
    return IdempotencyHeader.fingerprint(key.tenant(), route, asked);
  }

  private Result ofItem(SubmitRun.By by, String jobId, int item, Doing doing) {
    return of(
        by,
        jobId,
        job ->
            job.facts().items().has(item)
                ? doing.with(job)
                : rejected(JobDecision.Reason.NO_ITEM, item));
  }

  /// The job as it is now.
  public Optional<JobState.Existing> find(String tenant, String jobId) {
    return JobKey.isJobId(jobId)
            && jobs.load(new JobKey(tenant, jobId)) instanceof JobState.Existing job
        ? Optional.of(job)
        : Optional.empty();
  }

  private interface Doing {
    Result with(JobState.Existing job);
  }

  private Result of(SubmitRun.By by, String jobId, Doing doing) {
    return find(by.tenant(), jobId)
        .map(doing::with)
        .orElseGet(() -> rejected(JobDecision.Reason.NO_JOB, 0));
  }

  private Result executed(JobKey job, JobState from, JobCommand command, int item) {
    var result = jobs.execute(job, from, command);
    return switch (result.decision()) {
      case JobDecision.Refuse refuse -> rejected(refuse.reason(), item);
      case JobDecision.Stay _ -> new Result.Done((JobState.Existing) result.state(), false);
      case JobDecision.Append _ -> {
        JobState.Existing after = (JobState.Existing) result.state();
        if (command instanceof JobCommand.Create) {
          save(after);
        }
        yield new Result.Done(after, true);
      }
    };
  }

  /// Lists show the job at once. A later snapshot is `project`'s, which first writes the rows that
  /// belong to it; without an answer so is this one.
  private void save(JobState.Existing job) {
    try {
      models.save(job);
    } catch (PortUnavailable _) {
      return;
    }
  }

  private static Result rejected(JobDecision.Reason reason, int item) {
    return new Result.Rejected(
        switch (reason) {
          case NO_JOB -> notFound();
          case MISMATCH ->
              Problem.of(
                  ProblemCode.IDEMPOTENCY_MISMATCH,
                  "This job_id or Idempotency-Key was used with another request. Use a new one.");
          case CLOSED ->
              Problem.of(
                  ProblemCode.JOB_CLOSED,
                  "The job has ended, or is being ended. Create another one.");
          case NO_ITEM ->
              Problem.of(ProblemCode.ITEM_NOT_FOUND, "The job has no item %d.".formatted(item));
          case NOT_FAILED ->
              Problem.of(
                  ProblemCode.ITEM_NOT_FAILED,
                  "Item %d has not failed. Look at the job's items.".formatted(item));
          case RUN_OUT ->
              Problem.of(
                  ProblemCode.JOB_FULL,
                  "Item %d was run %d times, as often as one may be. Report it instead."
                      .formatted(item, JobLimits.ITEM_RUNS_MAX));
          case EMPTY ->
              JobRequestReader.invalid(null, "The job has no items. Add some, then start it.");
          case FULL ->
              Problem.of(
                  ProblemCode.JOB_FULL,
                  "A job has at most %d items, added by %d requests. Create another one."
                      .formatted(JobLimits.ITEMS_MAX, JobLimits.ADDITIONS_MAX));
        });
  }

  public static Problem notFound() {
    return Problem.of(ProblemCode.JOB_NOT_FOUND, "There is no job with this id.");
  }
}
