package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.PortUnavailable;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The jobs of one batch.
final class EndedItemsTest {
  private static final int MINUTES_MAX = 2;

  private final JobRig rig = new JobRig();
  private final JobKey slow = created("slow");
  private final JobKey other = created("other");

  private JobKey created(String id) {
    JobKey job = rig.created(JobRig.body(2).put("job_id", id));
    JobRig.done(rig.jobs.manage().start(JobRig.BY, id, Optional.empty()));
    return job;
  }

  /// What a batch says that names both jobs, each of which calls this when it is advanced.
  private EndedItems batch(Consumer<JobKey> advanced) {
    JobStream type =
        new JobStream(
            (state, command) -> {
              if (command instanceof JobCommand.Advance && state instanceof JobState.Existing job) {
                advanced.accept(job.facts().job());
              }
              return JobRules.decide(state, command);
            });
    EndedItems items = new EndedItems(rig.jobs.by(type).advanceJob());
    items.named(slow);
    items.named(other);
    return items;
  }

  @Test
  void aSlowJobHoldsNobodyUp() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch advanced = new CountDownLatch(1);
    EndedItems items =
        batch(
            job -> {
              if (job.equals(slow)) {
                began.countDown();
                await(advanced);
              } else {
                advanced.countDown();
              }
            });

    CompletableFuture<Void> first = CompletableFuture.runAsync(() -> items.advance(slow));
    await(began);
    items.advance(other);
    first.get();

    rig.assertCounts("running: 0 pending, 2 running, 0 completed, 0 failed, 0 reported", other);
    rig.assertCounts("running: 0 pending, 2 running, 0 completed, 0 failed, 0 reported", slow);
  }

  @Test
  void aJobIsAdvancedOnceAndFailsForWhoeverAsks() {
    AtomicInteger calls = new AtomicInteger();
    EndedItems items =
        batch(
            _ -> {
              calls.incrementAndGet();
              throw new PortUnavailable("no answer");
            });

    assertThrows(PortUnavailable.class, () -> items.advance(slow));
    assertThrows(PortUnavailable.class, () -> items.advance(slow));

    assertEquals(1, calls.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(MINUTES_MAX, TimeUnit.MINUTES), "it never came");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
