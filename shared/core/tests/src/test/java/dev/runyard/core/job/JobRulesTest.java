package dev.runyard.core.job;

import static dev.runyard.core.job.FoldedJob.added;
import static dev.runyard.core.job.FoldedJob.began;
import static dev.runyard.core.job.FoldedJob.completed;
import static dev.runyard.core.job.FoldedJob.error;
import static dev.runyard.core.job.FoldedJob.failed;
import static dev.runyard.core.job.FoldedJob.run;
import static dev.runyard.core.job.FoldedJob.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What each command does to a job, by what became of the job before.
final class JobRulesTest {
  private static final Requester BY = Requester.of("key:k1");
  private static final JobDecision STAY = new JobDecision.Stay();
  private static final JobTerms TERMS = terms(2, OnFailed.HOLD, null);
  private static final JobEvent STARTED = new JobEvent.Started();
  private static final JobEvent STOPPING =
      new JobEvent.StopRequested(new Failure(Failure.CANCELLED, Category.CALLER, "enough"));

  private static JobState.Existing job(JobEvent... events) {
    return FoldedJob.of(TERMS, events);
  }

  /// A job of two items that was completed.
  private static JobState.Existing ended() {
    return job(
        added("k", 1, 2),
        STARTED,
        began(1, 1),
        completed(1, 1),
        began(2, 1),
        completed(2, 1),
        new JobEvent.Completed(2, 0));
  }

  private static void assertRefused(JobDecision.Reason reason, JobState job, JobCommand command) {
    assertEquals(new JobDecision.Refuse(reason), JobRules.decide(job, command));
  }

  private static JobDecision append(JobEvent... events) {
    return new JobDecision.Append(List.of(events));
  }

  private static JobCommand add(String key, int count) {
    return new JobCommand.Add(new ItemBatch("inputs-" + key, key, 0, count, 100), BY);
  }

  private static JobCommand retry(int item, @Nullable Integer attempt) {
    return new JobCommand.Retry(item, attempt, BY);
  }

  private static JobCommand report(int item) {
    return new JobCommand.Report(item, "known", BY);
  }

  private static Instant after(int seconds) {
    return FoldedJob.AT.plusSeconds(seconds);
  }

  private static JobDecision ends(JobState job, int item, @Nullable Failure error, Instant now) {
    return JobRules.decide(
        job,
        new JobCommand.Advance(
            List.of(new JobCommand.End(item, run(item, 1), error, JobUsage.NONE)), List.of(), now));
  }

  private static JobDecision begins(JobState job, JobCommand.Begin... starting) {
    return JobRules.decide(job, new JobCommand.Advance(List.of(), List.of(starting), after(60)));
  }

  private static JobCommand.Begin begin(int item, int attempt, @Nullable Failure refused) {
    return new JobCommand.Begin(item, attempt, run(item, attempt), null, refused);
  }

  @Test
  void anEndedJobTakesNothingNew() {
    JobState job = ended();

    assertRefused(JobDecision.Reason.CLOSED, job, add("another", 2));
    assertRefused(JobDecision.Reason.CLOSED, job, new JobCommand.Start(BY));
    assertRefused(JobDecision.Reason.CLOSED, job, new JobCommand.Cancel("enough", BY));
    assertRefused(JobDecision.Reason.CLOSED, job, retry(1, null));
    assertRefused(JobDecision.Reason.CLOSED, job, retry(1, 1));
    assertRefused(JobDecision.Reason.CLOSED, job, report(1));
    assertEquals(STAY, begins(job, begin(1, 2, null)));
  }

  @Test
  void anEndedJobKnowsWhatWasAskedOfItBefore() {
    JobState job = ended();

    assertEquals(STAY, JobRules.decide(job, add("k", 2)));
    assertRefused(JobDecision.Reason.MISMATCH, job, add("k", 3));
    assertEquals(STAY, JobRules.decide(job, new JobCommand.Create(TERMS, Optional.empty(), BY)));
    JobTerms others = new JobTerms("j1", 2, OnFailed.HOLD, null, null, null, "x", null, null);
    assertRefused(
        JobDecision.Reason.MISMATCH, job, new JobCommand.Create(others, Optional.empty(), BY));
  }

  @Test
  void takesAsManyItemsAsAJobMayHave() {
    JobState job = job(added("k", 1, JobLimits.ITEMS_MAX - 5));

    assertEquals(append(added("l", JobLimits.ITEMS_MAX - 4, 5)), JobRules.decide(job, add("l", 5)));
    assertRefused(JobDecision.Reason.FULL, job, add("l", 6));
  }

  @Test
  void takesAsManyAdditionsAsAJobMayHave() {
    List<JobEvent> additions = new ArrayList<>();
    for (int i = 1; i < JobLimits.ADDITIONS_MAX; i++) {
      additions.add(added("k" + i, i, 1));
    }
    assertEquals(
        append(added("l", JobLimits.ADDITIONS_MAX, 1)),
        JobRules.decide(job(additions.toArray(JobEvent[]::new)), add("l", 1)));

    additions.add(added("l", JobLimits.ADDITIONS_MAX, 1));

    JobState full = job(additions.toArray(JobEvent[]::new));
    assertRefused(JobDecision.Reason.FULL, full, add("m", 1));
    assertEquals(STAY, JobRules.decide(full, add("l", 1)));
  }

  @Test
  void aJobThatIsBeingEndedTakesNothingNew() {
    JobState job = job(added("k", 1, 3), STARTED, began(1, 1), began(2, 1), failed(1, 1), STOPPING);

    assertRefused(JobDecision.Reason.CLOSED, job, add("l", 1));
    assertRefused(JobDecision.Reason.CLOSED, job, new JobCommand.Start(BY));
    assertRefused(JobDecision.Reason.CLOSED, job, retry(1, null));
    assertRefused(JobDecision.Reason.CLOSED, job, report(1));
    assertEquals(STAY, JobRules.decide(job, new JobCommand.Cancel("again", BY)));
    assertEquals(STAY, begins(job, begin(3, 1, null)));
    assertEquals(STAY, JobRules.decide(job, add("k", 3)));
  }

  @Test
  void startsOnceAndWithItems() {
    assertRefused(JobDecision.Reason.EMPTY, job(), new JobCommand.Start(BY));
    assertEquals(append(STARTED), JobRules.decide(job(added("k", 1, 1)), new JobCommand.Start(BY)));
    assertEquals(STAY, JobRules.decide(job(added("k", 1, 1), STARTED), new JobCommand.Start(BY)));
  }

  @Test
  void knowsTheItemsThatMayBeRetriedOrReported() {
    JobState job = job(added("k", 1, 2), STARTED, began(1, 1), began(2, 1), failed(2, 1));

    for (int none : new int[] {0, 3}) {
      assertRefused(JobDecision.Reason.NO_ITEM, job, retry(none, null));
      assertRefused(JobDecision.Reason.NO_ITEM, job, report(none));
    }
    assertRefused(JobDecision.Reason.NOT_FAILED, job, retry(1, null));
    assertRefused(JobDecision.Reason.NOT_FAILED, job, report(1));
    assertEquals(append(new JobEvent.ItemRetried(2)), JobRules.decide(job, retry(2, null)));
    assertEquals(append(new JobEvent.ItemReported(2, "known")), JobRules.decide(job, report(2)));
  }

  @Test
  void runsAnItemAsOftenAsOneMayBe() {
    List<JobEvent> events = new ArrayList<>(List.of(added("k", 1, 1), STARTED));
    for (int attempt = 1; attempt < JobLimits.ITEM_RUNS_MAX; attempt++) {
      events.addAll(List.of(began(1, attempt), failed(1, attempt), new JobEvent.ItemRetried(1)));
    }
    JobEvent retried = events.removeLast();
    assertEquals(
        append(retried), JobRules.decide(job(events.toArray(JobEvent[]::new)), retry(1, null)));

    events.add(retried);
    events.add(began(1, JobLimits.ITEM_RUNS_MAX));
    events.add(failed(1, JobLimits.ITEM_RUNS_MAX));

    JobState out = job(events.toArray(JobEvent[]::new));
    assertRefused(JobDecision.Reason.RUN_OUT, out, retry(1, null));
    assertEquals(STAY, JobRules.decide(out, retry(1, JobLimits.ITEM_RUNS_MAX - 1)));
  }

  @Test
  void beginsNoMoreItemsThanMayRunAtOnceAndOnlyTheNext() {
    JobState job = job(added("k", 1, 4), STARTED);

    assertEquals(
        append(began(1, 1), began(2, 1)),
        begins(job, begin(1, 1, null), begin(2, 1, null), begin(3, 1, null)));
    assertEquals(STAY, begins(job, begin(2, 1, null)));
    assertEquals(STAY, begins(job, begin(1, 2, null)));
    assertEquals(STAY, begins(job(added("k", 1, 4)), begin(1, 1, null)));
    assertEquals(STAY, begins(job(added("k", 1, 1), STARTED, began(1, 1)), begin(2, 1, null)));
  }

  @Test
  void anItemThatCanNeverBeARunFailsAsItBegins() {
    Failure why = new Failure("request_not_kept", Category.CALLER, "It is not kept any more.");
    JobState job = job(added("k", 1, 2), STARTED);

    assertEquals(
        append(
            began(1, 1),
            new JobEvent.ItemFailed(1, 1, run(1, 1), null, JobUsage.NONE, why, false),
            began(2, 1)),
        begins(job, begin(1, 1, why), begin(2, 1, null)));
  }

  @Test
  void saysWhetherAFailedItemMaySucceedInAnotherRun() {
    JobState job = job(added("k", 1, 3), STARTED, began(1, 1), began(2, 1));

    for (Category category : List.of(Category.BACKEND, Category.CALLER)) {
      assertEquals(
          append(
              new JobEvent.ItemFailed(
                  1,
                  1,
                  run(1, 1),
                  null,
                  JobUsage.NONE,
                  error(category),
                  category == Category.BACKEND)),
          ends(job, 1, error(category), after(60)));
    }
  }

  @Test
  void tellsOnceThatItIsBlocked() {
    JobState job =
        job(
            added("k", 1, 3),
            STARTED,
            began(1, 1),
            failed(1, 1),
            began(2, 1),
            began(3, 1),
            completed(3, 1));

    assertEquals(
        append(failed(2, 1), new JobEvent.Blocked(2)),
        ends(job, 2, error(Category.BACKEND), after(60)));
    JobState blocked =
        job(added("k", 1, 2), STARTED, began(1, 1), failed(1, 1), began(2, 1), failed(2, 1));
    assertEquals(
        append(new JobEvent.ItemReported(1, "known")), JobRules.decide(blocked, report(1)));
  }

  @Test
  void aJobThatMayFinishWithFailedItemsIsNeverBlocked() {
    JobState job =
        FoldedJob.of(terms(1, OnFailed.FINISH, null), added("k", 1, 1), STARTED, began(1, 1));

    JobDecision.Append done = (JobDecision.Append) ends(job, 1, error(Category.BACKEND), after(60));

    assertEquals(2, done.events().size());
    assertEquals(failed(1, 1), done.events().getFirst());
    JobEvent.Failed end = (JobEvent.Failed) done.events().getLast();
    assertEquals("items_failed", end.error().code());
    assertEquals(1, end.failed());
  }

  @Test
  void completesThoughItsLastItemEndsTooLate() {
    JobState job =
        FoldedJob.of(terms(1, OnFailed.HOLD, 30), added("k", 1, 1), STARTED, began(1, 1));

    assertEquals(
        append(completed(1, 1), new JobEvent.Completed(1, 0)), ends(job, 1, null, after(300)));
  }

  @Test
  void isEndedWhenItsTimeIsOverAlsoWhileItIsBlocked() {
    JobTerms short30 = terms(1, OnFailed.HOLD, 30);
    JobState blocked = FoldedJob.of(short30, added("k", 1, 1), STARTED, began(1, 1), failed(1, 1));

    JobDecision.Append done = (JobDecision.Append) begins(blocked);

    JobEvent.StopRequested stop = (JobEvent.StopRequested) done.events().getFirst();
    assertEquals(Failure.TIMED_OUT, stop.why().code());
    assertEquals(new JobEvent.Failed(stop.why(), 0, 1, 0), done.events().getLast());
  }

  @Test
  void isStoppedOnceThoughItsTimeIsOverToo() {
    JobState stopping =
        FoldedJob.of(terms(1, OnFailed.HOLD, 30), added("k", 1, 2), STARTED, began(1, 1), STOPPING);

    assertEquals(STAY, begins(stopping));
    assertEquals(
        append(completed(1, 1), new JobEvent.Cancelled("enough", 1, 0)),
        ends(stopping, 1, null, after(300)));
  }
}
