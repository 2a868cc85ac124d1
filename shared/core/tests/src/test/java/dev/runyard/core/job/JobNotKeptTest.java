package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.application.Ports;
import dev.runyard.core.crash.CrashPoint;
import dev.runyard.core.memory.MemoryJobPorts;
import dev.runyard.core.quota.Quotas;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Jobs of which what items ask for is not kept any more.
final class JobNotKeptTest {
  private static final String COMMON = "request-";

  private final WatchedItems items = new WatchedItems(new MemoryJobPorts().items());
  private final JobRig rig = new JobRig(Quotas.NONE, this::watched);

  private Ports watched(Ports ports) {
    JobPorts jobs =
        CrashPoint.ports(JobPorts.class, ports.jobs(), name -> name.equals("items") ? items : null);
    return CrashPoint.ports(Ports.class, ports, name -> name.equals("jobs") ? jobs : null);
  }

  private static JobEvent.ItemFailed failure(List<StoredJobEvent> events, int item) {
    return events.stream()
        .map(StoredJobEvent::event)
        .filter(JobEvent.ItemFailed.class::isInstance)
        .map(JobEvent.ItemFailed.class::cast)
        .filter(failed -> failed.item() == item)
        .findFirst()
        .orElseThrow();
  }

  private void assertNotKept(JobKey job, int item) {
    JobEvent.ItemFailed failed = failure(rig.events(job), item);
    assertEquals("request_not_kept", failed.error().code());
    assertFalse(failed.retryable());
  }

  @Test
  void anItemFailsAsItStarts() {
    JobKey job = rig.begun(JobRig.body(2));
    items.lose(name -> !name.startsWith(COMMON));

    rig.settle(job);

    rig.assertCounts("blocked: 0 pending, 0 running, 0 completed, 2 failed, 0 reported", job);
    assertNotKept(job, 1);
    assertNotKept(job, 2);
  }

  /// A process started the item, and died before it wrote the run.
  @Test
  void anItemFailsWhoseRunIsNotThere() {
    JobKey job = rig.begun(JobRig.body(1));
    JobCommand.Begin begin =
        new JobCommand.Begin(1, 1, "019c0000-0000-7000-8000-000000000001", null, null);
    rig.jobs
        .log()
        .execute(
            job,
            rig.job(job),
            new JobCommand.Advance(List.of(), List.of(begin), rig.clock.instant()));
    items.lose(name -> !name.startsWith(COMMON));

    rig.advance(job);

    rig.assertCounts("blocked: 0 pending, 0 running, 0 completed, 1 failed, 0 reported", job);
    assertNotKept(job, 1);
  }

  @Test
  void aJobTakesNoItemsWithoutWhatTheyHaveInCommon() {
    rig.created(JobRig.body(1));
    ObjectNode more = JsonNodeFactory.instance.objectNode();
    JobRig.addItems(more, 2, 1);
    items.lose(name -> name.startsWith(COMMON));

    assertEquals(
        "job_closed",
        JobRig.code(rig.jobs.manage().add(JobRig.BY, "j1", rig.reader(), more, Optional.empty())));
  }
}
