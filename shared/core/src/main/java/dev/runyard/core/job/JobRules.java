package dev.runyard.core.job;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What commands do to a job. Pure; a test that plants a defect passes others to [JobStream].
public final class JobRules {
  private static final JobDecision STAY = new JobDecision.Stay();

  private JobRules() {}

  public static JobDecision decide(JobState state, JobCommand command) {
    return switch (state) {
      case JobState.Absent _ ->
          command instanceof JobCommand.Create create
              ? create(create)
              : refuse(JobDecision.Reason.NO_JOB);
      case JobState.Open job -> open(job, command);
      case JobState.Closed job -> closed(job, command);
    };
  }

  private static JobDecision create(JobCommand.Create create) {
    List<JobEvent> events = new ArrayList<>();
    events.add(new JobEvent.Created(create.terms()));
    create.items().ifPresent(batch -> events.add(new JobEvent.ItemsAdded(batch.at(1))));
    return new JobDecision.Append(events);
  }

  private static JobDecision again(JobFacts facts, JobCommand.Create create) {
    return facts.terms().fingerprint().equals(create.terms().fingerprint())
        ? STAY
        : refuse(JobDecision.Reason.MISMATCH);
  }

  private static JobDecision closed(JobState.Closed job, JobCommand command) {
    return switch (command) {
      case JobCommand.Create create -> again(job.facts(), create);
      case JobCommand.Add add when added(job.facts().items(), add.batch()).isPresent() ->
          added(job.facts().items(), add.batch()).get();
      case JobCommand.Retry retry when retried(job.facts().items(), retry) -> STAY;
      case JobCommand.Advance _ -> STAY;
      case JobCommand.Add _,
          JobCommand.Start _,
          JobCommand.Cancel _,
          JobCommand.Retry _,
          JobCommand.Report _ ->
          refuse(JobDecision.Reason.CLOSED);
    };
  }

  private static JobDecision open(JobState.Open job, JobCommand command) {
    JobFacts facts = job.facts();
    return switch (command) {
      case JobCommand.Create create -> again(facts, create);
      case JobCommand.Add add -> add(facts, add.batch());
      case JobCommand.Start _ -> start(facts);
      case JobCommand.Cancel cancel ->
          facts.stop() != null
              ? STAY
              : then(
                  job,
                  new JobEvent.StopRequested(
                      new Failure(Failure.CANCELLED, Category.CALLER, cancel.reason())));
      case JobCommand.Retry retry -> retry(job, retry);
      case JobCommand.Report report -> report(job, report);
      case JobCommand.Advance advance -> advance(job, advance);
    };
  }

  private static Optional<JobDecision> added(JobProgress items, ItemBatch batch) {
    return items
        .added(batch.key())
        .map(
            there ->
                there.inputs().equals(batch.inputs()) && there.count() == batch.count()
                    ? STAY
                    : refuse(JobDecision.Reason.MISMATCH));
  }

  private static JobDecision add(JobFacts facts, ItemBatch batch) {
    JobProgress items = facts.items();
    Optional<JobDecision> known = added(items, batch);
    if (known.isPresent()) {
      return known.get();
    }
    if (facts.stop() != null) {
      return refuse(JobDecision.Reason.CLOSED);
    }
    return items.total() + batch.count() > JobLimits.ITEMS_MAX
            || items.batches().size() == JobLimits.ADDITIONS_MAX
        ? refuse(JobDecision.Reason.FULL)
        : append(new JobEvent.ItemsAdded(batch.at(items.total() + 1)));
  }

  private static JobDecision start(JobFacts facts) {
    if (facts.stop() != null) {
      return refuse(JobDecision.Reason.CLOSED);
    }
    if (facts.startedAt() != null) {
      return STAY;
    }
    return facts.items().total() == 0
        ? refuse(JobDecision.Reason.EMPTY)
        : append(new JobEvent.Started());
  }

  /// True when the item was run again since the retry was asked for first.
  private static boolean retried(JobProgress items, JobCommand.Retry retry) {
    Integer attempt = retry.attempt();
    if (attempt == null || attempt == 0 || !items.has(retry.item())) {
      return false;
    }
    int attempts = items.attempts(retry.item());
    return attempts > attempt || (attempts == attempt && items.retrying().has(retry.item()));
  }

  private static JobDecision retry(JobState.Open job, JobCommand.Retry retry) {
    if (retried(job.facts().items(), retry)) {
      return STAY;
    }
    int item = retry.item();
    Optional<JobDecision> refusal = notFailed(job.facts(), item);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    return job.facts().items().attempts(item) >= JobLimits.ITEM_RUNS_MAX
        ? refuse(JobDecision.Reason.RUN_OUT)
        : append(new JobEvent.ItemRetried(item));
  }

  private static JobDecision report(JobState.Open job, JobCommand.Report report) {
    return notFailed(job.facts(), report.item())
        .orElseGet(() -> then(job, new JobEvent.ItemReported(report.item(), report.note())));
  }

  private static Optional<JobDecision> notFailed(JobFacts facts, int item) {
    if (facts.stop() != null) {
      return Optional.of(refuse(JobDecision.Reason.CLOSED));
    }
    if (!facts.items().has(item)) {
      return Optional.of(refuse(JobDecision.Reason.NO_ITEM));
    }
    return facts.items().failed().has(item)
        ? Optional.empty()
        : Optional.of(refuse(JobDecision.Reason.NOT_FAILED));
  }

  private static JobDecision then(JobState.Open job, JobEvent event) {
    Draft draft = new Draft(job, job.facts().at());
    draft.add(event);
    return draft.finished();
  }

  private static JobDecision advance(JobState.Open job, JobCommand.Advance advance) {
    Draft draft = new Draft(job, advance.now());
    advance.ended().forEach(draft::end);
    draft.checkBudgets();
    advance.starting().forEach(draft::begin);
    return draft.finished();
  }

  private static JobDecision append(JobEvent event) {
    return new JobDecision.Append(List.of(event));
  }

  private static JobDecision refuse(JobDecision.Reason reason) {
    return new JobDecision.Refuse(reason);
  }

  /// Events in the making, and the job after them.
  private static final class Draft {
    private final Instant now;
    private final JobStatus before;
    private final List<JobEvent> events = new ArrayList<>();
    private final JobKey place;
    private JobState.Open job;

    Draft(JobState.Open job, Instant now) {
      this.job = job;
      this.before = job.status();
      this.now = now;
      this.place = job.facts().job();
    }

    void add(JobEvent event) {
      JobState after =
          JobFold.evolve(
              job, new StoredJobEvent(place, "draft", job.sequence() + 1, now, event, null));
      events.add(event);
      if (after instanceof JobState.Open open) {
        job = open;
      }
    }

    void end(JobCommand.End end) {
      JobProgress.Active active = job.facts().items().active().get(end.item());
      if (active == null || !active.runId().equals(end.runId())) {
        return;
      }
      Failure error = end.error();
      add(
          error == null
              ? new JobEvent.ItemCompleted(
                  end.item(), active.attempt(), end.runId(), active.threadId(), end.usage())
              : new JobEvent.ItemFailed(
                  end.item(),
                  active.attempt(),
                  end.runId(),
                  active.threadId(),
                  end.usage(),
                  error,
                  error.category() != Category.CALLER));
    }

    void checkBudgets() {
      JobFacts facts = job.facts();
      boolean moves = facts.items().moves();
      if (!job.starts() || (!moves && facts.items().failed().isEmpty())) {
        return;
      }
      if (facts.deadline().filter(end -> !now.isBefore(end)).isPresent()) {
        stop(Failure.TIMED_OUT, "The job took as long as it may. Create one with more time.");
      } else if (moves && facts.terms().overTokens(facts.usage())) {
        stop(
            Failure.MAX_TOKENS_REACHED,
            "The job's runs used as many tokens as it may. Create one with more.");
      } else if (moves && facts.terms().overCost(facts.usage())) {
        stop(
            Failure.MAX_COST_REACHED,
            "The job's runs cost as much as it may. Create one with more.");
      }
    }

    private void stop(String code, String message) {
      add(new JobEvent.StopRequested(new Failure(code, Category.CALLER, message)));
    }

    void begin(JobCommand.Begin begin) {
      JobFacts facts = job.facts();
      JobProgress items = facts.items();
      boolean next =
          items.retrying().has(begin.item())
              || (begin.item() == items.next() && begin.item() <= items.total());
      if (!job.starts()
          || !next
          || begin.attempt() != items.attempts(begin.item()) + 1
          || items.active().size() >= facts.terms().concurrency()) {
        return;
      }
      add(new JobEvent.ItemStarted(begin.item(), begin.attempt(), begin.runId(), begin.threadId()));
      if (begin.refused() != null) {
        end(new JobCommand.End(begin.item(), begin.runId(), begin.refused(), JobUsage.NONE));
      }
    }

    JobDecision finished() {
      end().ifPresent(this::add);
      if (before != JobStatus.BLOCKED && job.status() == JobStatus.BLOCKED && !ended()) {
        add(new JobEvent.Blocked(job.facts().items().failed().size()));
      }
      return events.isEmpty() ? STAY : new JobDecision.Append(events);
    }

    private boolean ended() {
      return !events.isEmpty() && events.getLast() instanceof JobEvent.Ended;
    }

    private Optional<JobEvent> end() {
      JobFacts facts = job.facts();
      JobProgress items = facts.items();
      if (!items.active().isEmpty()) {
        return Optional.empty();
      }
      Failure stop = facts.stop();
      if (stop != null) {
        return Optional.of(
            stop.code().equals(Failure.CANCELLED)
                ? new JobEvent.Cancelled(stop.message(), items.completed(), items.failed().size())
                : failed(stop, items));
      }
      if (facts.startedAt() == null || items.pending() > 0) {
        return Optional.empty();
      }
      if (items.failed().isEmpty()) {
        return Optional.of(new JobEvent.Completed(items.completed(), items.reported().size()));
      }
      return facts.terms().onFailed() == OnFailed.FINISH
          ? Optional.of(failed(itemsFailed(), items))
          : Optional.empty();
    }

    private static JobEvent failed(Failure why, JobProgress items) {
      return new JobEvent.Failed(
          why, items.completed(), items.failed().size(), items.reported().size());
    }

    private static Failure itemsFailed() {
      return new Failure(
          "items_failed",
          Category.CALLER,
          "Some items failed; the job's items say why. Create a job with those.");
    }
  }
}
