package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.usage.Usage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Jobs that use up what they may.
final class JobBudgetTest {
  private static final Usage USED = new Usage(100, 0, 20, 0, 0.25);

  private final JobRig rig = new JobRig();

  private JobKey started(String budget, double most) {
    ObjectNode body = JobRig.body(4).put("concurrency", 2);
    if (budget.equals("max_cost_usd")) {
      body.put(budget, most);
    } else {
      body.put(budget, (long) most);
    }
    return rig.started(body);
  }

  /// Ends the run of an item that used something, and tells the job.
  private void ends(JobKey job, int item) {
    RunKey run = rig.run(job, item);
    String attempt = "a-" + run.runId();
    rig.cases.runs().execute(run, new RunCommand.Claim(attempt, "r", "t", rig.clock.instant()));
    rig.cases
        .runs()
        .execute(
            run,
            new RunCommand.Report(
                attempt,
                List.of(
                    new RunEvent.ProcessStarted("p", "echo"),
                    new RunEvent.CostRecorded(USED, "model"),
                    new RunEvent.ProcessCompleted("p", 0, null, 5),
                    new RunEvent.AttemptCompleted(1, attempt))));
    RunState.Closed ended = (RunState.Closed) rig.cases.advanceRun().advance(run);
    rig.jobs.advanceJob().advance(job, List.of(ended));
  }

  /// The other run is ended by the job, and told of.
  private void stops(JobKey job, int item) {
    rig.cases.advanceRun().advance(rig.run(job, item));
    rig.jobs.advanceJob().check(job);
  }

  @Test
  void stopsWhenItsTokensAreUsedUp() {
    JobKey job = started("max_tokens", 240);
    ends(job, 1);
    rig.assertCounts("running: 1 pending, 2 running, 1 completed, 0 failed, 0 reported", job);
    assertEquals(new JobUsage(120, 250_000), rig.job(job).facts().usage());

    ends(job, 2);

    rig.assertCounts("cancelling: 1 pending, 1 running, 2 completed, 0 failed, 0 reported", job);
    stops(job, 3);
    rig.assertCounts("failed: 1 pending, 0 running, 2 completed, 1 failed, 0 reported", job);
    assertEquals("max_tokens_reached", rig.error(job));
  }

  @Test
  void stopsWhenItsDollarsAreUsedUp() {
    JobKey job = started("max_cost_usd", 0.2);

    ends(job, 1);

    stops(job, 2);
    rig.assertCounts("failed: 2 pending, 0 running, 1 completed, 1 failed, 0 reported", job);
    assertEquals("max_cost_reached", rig.error(job));
  }

  @Test
  void stopsWhenItsMinutesAreUsedUp() {
    JobKey job = started("max_runtime_seconds", 120);
    rig.pass(Duration.ofSeconds(119));
    ends(job, 1);
    rig.assertCounts("running: 1 pending, 2 running, 1 completed, 0 failed, 0 reported", job);
    rig.pass(Duration.ofSeconds(1));

    ends(job, 2);

    stops(job, 3);
    rig.assertCounts("failed: 1 pending, 0 running, 2 completed, 1 failed, 0 reported", job);
    assertEquals("timed_out", rig.error(job));
  }

  @Test
  void completesWithWhatItsLastItemsUsed() {
    JobKey job = rig.started(JobRig.body(1).put("max_tokens", 100).put("max_cost_usd", 0.1));

    ends(job, 1);

    rig.assertCounts("completed: 0 pending, 0 running, 1 completed, 0 failed, 0 reported", job);
  }
}
