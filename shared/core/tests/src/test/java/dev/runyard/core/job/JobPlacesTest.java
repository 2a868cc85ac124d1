package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.ItemIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.log.EventCursor;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Where the runs of items are, and what their events say of that.
final class JobPlacesTest {
  private final JobRig rig = new JobRig();

  private RunState.Existing run(JobKey job, int item) {
    return (RunState.Existing) rig.cases.runs().load(rig.run(job, item));
  }

  @Test
  void itemsRunSideBySideInTheSessionOfTheirJob() {
    JobKey job = rig.started(JobRig.body(3).put("concurrency", 2).put("session_id", "s-1"));
    RunKey first = rig.run(job, 1);

    assertEquals("s-1", run(job, 1).facts().request().sessionId());
    assertEquals("item-" + first.runId(), run(job, 1).facts().request().threadId());
    assertNotEquals(
        run(job, 1).facts().request().threadId(), run(job, 2).facts().request().threadId());
    assertEquals(List.of(first, rig.run(job, 2)), rig.memory.queue().runs());
    rig.endAll(job, true);
    rig.endAll(job, true);
    rig.assertCounts("completed: 0 pending, 0 running, 3 completed, 0 failed, 0 reported", job);
  }

  @Test
  void anItemHasItsOwnSessionWhereItNamesOneOrNobodyDoes() {
    ObjectNode body = JobRig.body(2);
    ((ObjectNode) body.get("items").get(1)).put("session_id", "s-2");
    JobKey job = rig.started(body);

    String first = rig.run(job, 1).runId();
    assertEquals(first, run(job, 1).facts().request().sessionId());
    assertEquals("thread-" + first, run(job, 1).facts().request().threadId());
    assertEquals("thread-s-2", run(job, 2).facts().request().threadId());
  }

  @Test
  void anItemThatRunsAgainHasAnotherThread() {
    JobKey job = rig.started(JobRig.body(1).put("session_id", "s-1"));
    String before = run(job, 1).facts().request().threadId();
    rig.endAll(job, false);
    JobRig.done(rig.jobs.manage().retry(JobRig.BY, "j1", 1, Optional.empty()));
    rig.advance(job);

    assertNotEquals(before, run(job, 1).facts().request().threadId());
    rig.jobs.projectJob().project(job);
    Optional<ItemRow> row = rig.memory.jobs().items().row(job, 1);
    assertEquals(before, row.orElseThrow().threadId());
    assertEquals(
        run(job, 1).facts().request().threadId(),
        JobJson.item(rig.job(job), 1, row).path("thread_id").textValue());
  }

  @Test
  void eventsOfItemsAndTheirRunsNameEachOther() throws Exception {
    JobKey job = rig.started(JobRig.body(1));
    RunKey run = rig.run(job, 1);
    rig.endAll(job, true);

    List<StoredEvent> events = new EventCursor<>(rig.log, EventCodec.RUNS, run, 0).next();
    assertTrue(events.size() > 3);
    for (StoredEvent event : events) {
      assertEquals(new ItemIds("j1", 1), event.turn().item());
    }
    JsonNode told = JsonFormat.JSON.readTree(EventCodec.RUNS.encode(events.subList(0, 1)));
    assertEquals("j1", told.path("jobId").textValue());
    assertEquals("1", told.path("jobItemId").textValue());
    for (StoredJobEvent event : rig.events(job)) {
      if (event.event() instanceof JobEvent.OfItem) {
        JsonNode of = JsonFormat.JSON.readTree(JobCodec.JOBS.encode(List.of(event)));
        assertEquals(run.runId(), of.path("runId").textValue());
        assertEquals("thread-" + run.runId(), of.path("threadId").textValue());
        assertEquals("turn-" + run.runId(), of.path("turnId").textValue());
      }
    }
  }
}
