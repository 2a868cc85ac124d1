package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.run.RunState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Jobs from their creation to their end.
final class JobTest {
  private final JobRig rig = new JobRig();

  @Test
  void runsItsItemsAFewAtATime() {
    JobKey job = rig.started(JobRig.body(25).put("concurrency", 10));

    rig.assertCounts("running: 15 pending, 10 running, 0 completed, 0 failed, 0 reported", job);
    rig.endAll(job, true);
    rig.assertCounts("running: 5 pending, 10 running, 10 completed, 0 failed, 0 reported", job);
    rig.endAll(job, true);
    rig.endAll(job, true);
    rig.assertCounts("completed: 0 pending, 0 running, 25 completed, 0 failed, 0 reported", job);
    assertEquals(25, Collections.frequency(rig.types(job), "job.item.completed"));
    assertEquals("job.completed", rig.types(job).getLast());
    rig.jobs.projectJob().project(job);
    assertEquals(25, rig.memory.jobs().items().rows(job, 1, 100).size());
  }

  @Test
  void givesEachItemItsOwnRequest() {
    ObjectNode body = JobRig.body(3);
    ((ObjectNode) body.get("items").get(1)).putObject("tags").put("k", "v");
    JobKey job = rig.started(body);

    RunState.Existing second = (RunState.Existing) rig.cases.runs().load(rig.run(job, 2));
    assertEquals("say 2", second.facts().request().prompt());
    assertEquals(Map.of("k", "v"), second.facts().request().tags());
    assertEquals(2, Objects.requireNonNull(second.facts().request().item()).item());
    RunState.Existing third = (RunState.Existing) rig.cases.runs().load(rig.run(job, 3));
    assertEquals(Map.of("LEVEL", "1"), third.facts().request().tags());
  }

  @Test
  void takesOneStepForAllRunsThatHaveEnded() {
    JobKey job = rig.started(JobRig.body(20));
    int before = rig.log.chunksAfter(job, 0).size();

    rig.endAll(job, true);

    assertEquals(before + 1, rig.log.chunksAfter(job, 0).size());
  }

  @Test
  void holdsUntilWhatFailedIsRetriedOrReported() {
    JobKey job = rig.started(JobRig.body(2));
    RunKey first = rig.run(job, 1);
    rig.endAll(job, false);
    rig.assertCounts("blocked: 0 pending, 0 running, 0 completed, 2 failed, 0 reported", job);

    ManageJobs manage = rig.jobs.manage();
    JobRig.done(manage.retry(JobRig.BY, "j1", 1, Optional.empty()));
    assertEquals(
        "item_not_failed", JobRig.code(manage.retry(JobRig.BY, "j1", 1, Optional.empty())));
    rig.advance(job);
    assertNotEquals(first, rig.run(job, 1));
    rig.endAll(job, true);
    rig.assertCounts("blocked: 0 pending, 0 running, 1 completed, 1 failed, 0 reported", job);
    JobRig.done(manage.report(JobRig.BY, "j1", 2, "known", Optional.empty()));

    rig.assertCounts("completed: 0 pending, 0 running, 1 completed, 0 failed, 1 reported", job);
    assertEquals("job_closed", JobRig.code(manage.retry(JobRig.BY, "j1", 2, Optional.empty())));
    rig.jobs.projectJob().project(job);
    ItemRow reported = rig.memory.jobs().items().row(job, 2).orElseThrow();
    assertEquals("known", reported.note());
    assertEquals("agent_failed", Objects.requireNonNull(reported.error()).code());
    assertEquals(2, rig.memory.jobs().items().row(job, 1).orElseThrow().attempt());
  }

  @Test
  void finishesWithFailedItemsWhereItMay() {
    JobKey job = rig.started(JobRig.body(1).put("on_failed", "finish"));

    rig.endAll(job, false);

    rig.assertCounts("failed: 0 pending, 0 running, 0 completed, 1 failed, 0 reported", job);
    assertEquals("items_failed", rig.error(job));
  }

  @Test
  void keepsWhatIsCompletedWhenItIsCancelled() {
    JobKey job = rig.started(JobRig.body(6).put("concurrency", 2));
    rig.endAll(job, true);
    RunKey running = rig.run(job, 3);

    JobRig.done(rig.jobs.manage().cancel(JobRig.BY, "j1", "enough", Optional.empty()));
    rig.advance(job);
    rig.assertCounts("cancelling: 2 pending, 2 running, 2 completed, 0 failed, 0 reported", job);
    RunState.Existing state = (RunState.Existing) rig.cases.advanceRun().advance(running);
    assertEquals("cancelled", state.status().wire());
    rig.cases.advanceRun().advance(rig.run(job, 4));
    rig.jobs.advanceJob().check(job);

    rig.assertCounts("cancelled: 2 pending, 0 running, 2 completed, 2 failed, 0 reported", job);
    List<String> types = rig.types(job);
    assertEquals(4, Collections.frequency(types, "job.item.started"));
    assertEquals("job.cancelled", types.getLast());
  }

  @Test
  void writesARunThatWasStartedButIsNotThereAndEndsItWhenCancelled() {
    JobKey job = rig.created(JobRig.body(1));
    JobRig.done(rig.jobs.manage().start(JobRig.BY, "j1", Optional.empty()));
    RunKey run = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
    JobCommand.Begin begin = new JobCommand.Begin(1, 1, run.runId(), null, null);
    rig.jobs
        .log()
        .execute(
            job,
            rig.job(job),
            new JobCommand.Advance(List.of(), List.of(begin), rig.clock.instant()));
    assertTrue(rig.cases.runs().load(run) instanceof RunState.Absent);
    JobRig.done(rig.jobs.manage().cancel(JobRig.BY, "j1", "enough", Optional.empty()));

    rig.advance(job);

    assertTrue(rig.cases.advanceRun().advance(run) instanceof RunState.Cancelled);
  }

  @Test
  void stopsWhenItsTimeIsOver() {
    JobKey job = rig.started(JobRig.body(3).put("concurrency", 1).put("max_runtime_seconds", 60));
    rig.pass(Duration.ofSeconds(61));
    rig.jobs.projectJob().project(job);

    rig.sweep();
    rig.sweep();
    rig.cases.advanceRun().advance(rig.run(job, 1));
    rig.sweep();

    assertEquals(JobStatus.FAILED, rig.job(job).status());
    assertEquals("timed_out", rig.error(job));
  }

  @Test
  void findsTheEndsThatNobodyTold() {
    JobKey job = rig.started(JobRig.body(3).put("concurrency", 2));
    rig.jobs.projectJob().project(job);
    rig.ends(rig.run(job, 1), true);
    rig.pass(Duration.ofSeconds(61));

    rig.sweep();

    rig.assertCounts("running: 0 pending, 2 running, 1 completed, 0 failed, 0 reported", job);
  }

  @Test
  void isCreatedOnceForItsId() {
    ObjectNode body = JobRig.body(2);
    JobKey job = rig.created(body);
    rig.created(body.deepCopy());

    assertEquals(2, rig.job(job).facts().items().total());
    assertEquals(
        "idempotency_mismatch",
        JobRig.code(
            rig.jobs.manage().create(JobRig.BY, rig.reader(), JobRig.body(3), Optional.empty())));
  }

  @Test
  void isCreatedOnceForAKey() {
    ObjectNode body = JobRig.body(1);
    body.remove("job_id");
    ManageJobs manage = rig.jobs.manage();
    JobState.Existing first =
        JobRig.done(manage.create(JobRig.BY, rig.reader(), body, Optional.of("k")));
    JobState.Existing again =
        JobRig.done(manage.create(JobRig.BY, rig.reader(), body, Optional.of("k")));

    assertEquals(first.facts().job(), again.facts().job());
    body.put("concurrency", 3);
    assertEquals(
        "idempotency_mismatch",
        JobRig.code(manage.create(JobRig.BY, rig.reader(), body, Optional.of("k"))));
  }

  @Test
  void addsItemsOnceForAKey() {
    JobKey job = rig.created(JobRig.body(1));
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    JobRig.addItems(more, 2, 3);
    ManageJobs manage = rig.jobs.manage();
    for (int i = 0; i < 2; i++) {
      JobRig.done(manage.add(JobRig.BY, "j1", rig.reader(), more, Optional.of("k")));
    }
    assertEquals(4, rig.job(job).facts().items().total());
    JobRig.addItems(more, 9, 3);
    assertEquals(
        "idempotency_mismatch",
        JobRig.code(manage.add(JobRig.BY, "j1", rig.reader(), more, Optional.of("k"))));
    assertEquals(
        "job_not_found",
        JobRig.code(manage.add(JobRig.BY, "other", rig.reader(), more, Optional.empty())));
  }

  @Test
  void namesTheItemThatIsWrongAndStoresNothing() {
    ObjectNode body = JobRig.body(3);
    ((ObjectNode) body.get("items").get(2)).put("prompt", "");
    Problem own = problem(body);
    assertEquals(List.of("/items/2/prompt"), own.pointers());
    ObjectNode common = JobRig.body(2);
    ((ObjectNode) common.get("request")).put("agent", "nobody");
    assertEquals(List.of("/request/agent"), problem(common).pointers());

    assertEquals(Optional.empty(), rig.jobs.manage().find("acme", "j1"));
  }

  @Test
  void startsNothingWithoutItems() {
    ObjectNode body = JobRig.body(1);
    body.remove("items");
    rig.created(body);

    Problem problem =
        ((ManageJobs.Result.Rejected) rig.jobs.manage().start(JobRig.BY, "j1", Optional.empty()))
            .problem();

    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
    assertEquals(List.of(), problem.pointers());
  }

  private Problem problem(ObjectNode body) {
    return ((ManageJobs.Result.Rejected)
            rig.jobs.manage().create(JobRig.BY, rig.reader(), body, Optional.empty()))
        .problem();
  }

  @Test
  void waitsForTheQuotaOfItsTenant() {
    JobRig small = new JobRig(Quotas.parse("{\"default\":{\"open_runs_max\":2}}"), ports -> ports);
    JobKey job = small.started(JobRig.body(5));
    small.assertCounts("running: 3 pending, 2 running, 0 completed, 0 failed, 0 reported", job);

    small.endAll(job, true);

    small.assertCounts("running: 1 pending, 2 running, 2 completed, 0 failed, 0 reported", job);
  }

  @Test
  void keepsASmallSnapshotOfManyItems() {
    JobKey job = rig.created(JobRig.body(1000));
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    for (int i = 1; i < 10; i++) {
      JobRig.addItems(more, 1000 * i + 1, 1000);
      JobRig.done(rig.jobs.manage().add(JobRig.BY, "j1", rig.reader(), more, Optional.of("k" + i)));
    }
    JobProgress items = rig.job(job).facts().items();
    for (int item = 1; item <= 10_000; item++) {
      items = items.started(item, active(item, 1));
      items = items.ended(item, item % 3 != 0);
    }
    for (int item = 3; item <= 600; item += 3) {
      items = items.retry(item).started(item, active(item, 2));
    }
    JobState.Open state = new JobState.Open(rig.job(job).facts().with(items));
    byte[] stored = JobSnapshotCodec.pack(state);

    assertTrue(stored.length < 64 * 1024, "bytes: " + stored.length);
    assertEquals(state, JobSnapshotCodec.unpack(stored));
    assertEquals(10_000, items.total());
  }

  private static JobProgress.Active active(int item, int attempt) {
    String run = "019c0000-0000-7000-8000-%012d".formatted(item);
    return new JobProgress.Active(attempt, run, "item-" + run);
  }

  @Test
  void listsItemsByTheirStatus() {
    JobKey job = rig.started(JobRig.body(5).put("concurrency", 2));
    rig.jobs
        .advanceJob()
        .advance(job, List.of(rig.ends(rig.run(job, 1), false), rig.ends(rig.run(job, 2), true)));
    rig.jobs.projectJob().project(job);
    ListItems list = rig.jobs.listItems();

    assertEquals(List.of(1, 2, 3, 4, 5), numbers(list.page(rig.job(job), Optional.empty(), 1, 9)));
    assertEquals(
        List.of(1), numbers(list.page(rig.job(job), Optional.of(ItemStatus.FAILED), 1, 9)));
    assertEquals(
        List.of(3, 4), numbers(list.page(rig.job(job), Optional.of(ItemStatus.RUNNING), 1, 9)));
    ListItems.Page first = list.page(rig.job(job), Optional.empty(), 1, 2);
    assertEquals(Optional.of(3), first.next());
    String json = JobJson.item(rig.job(job), 1, first.items().getFirst().row()).toString();
    assertTrue(json.contains("\"code\":\"agent_failed\""), json);
  }

  private static List<Integer> numbers(ListItems.Page page) {
    return page.items().stream().map(ListItems.Item::number).toList();
  }

  @Test
  void readsWhatItWrote() {
    JobKey job = rig.started(JobRig.body(2));
    rig.endAll(job, false);
    JobRig.done(rig.jobs.manage().report(JobRig.BY, "j1", 1, "fine", Optional.empty()));
    JobRig.done(rig.jobs.manage().retry(JobRig.BY, "j1", 2, Optional.empty()));
    JobRig.done(rig.jobs.manage().cancel(JobRig.BY, "j1", "enough", Optional.empty()));
    List<StoredJobEvent> events = rig.events(job);

    assertEquals(events, JobCodec.JOBS.decode(job, JobCodec.JOBS.encode(events)));
    String lines = new String(JobCodec.JOBS.encode(events), StandardCharsets.UTF_8);
    assertTrue(lines.contains("\"jobItemId\":\"1\""), lines);
    assertTrue(lines.contains("\"change\":\"item_reported\""), lines);
    assertTrue(!lines.contains("LEVEL"), lines);
  }
}
