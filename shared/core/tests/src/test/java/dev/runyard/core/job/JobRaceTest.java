package dev.runyard.core.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.application.JobCases;
import dev.runyard.core.quota.Quotas;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Several processes that advance jobs at once.
final class JobRaceTest {
  @Test
  void givesBackWhatWasCountedForRunsThatAnotherProcessStartedFirst() {
    JobRig rig = new JobRig(Quotas.parse("{\"default\":{\"open_runs_max\":4}}"), ports -> ports);
    JobKey job = rig.created(JobRig.body(5).put("concurrency", 2));
    JobRig.done(rig.jobs.manage().start(JobRig.BY, "j1", Optional.empty()));
    AtomicBoolean met = new AtomicBoolean();
    JobCases slow =
        rig.jobs.by(
            new JobStream(
                (state, command) -> {
                  if (command instanceof JobCommand.Advance advance
                      && !advance.starting().isEmpty()
                      && met.compareAndSet(false, true)) {
                    rig.advance(job);
                  }
                  return JobRules.decide(state, command);
                }));

    slow.advanceJob().advance(job, List.of());

    assertEquals(true, met.get());
    rig.assertCounts("running: 3 pending, 2 running, 0 completed, 0 failed, 0 reported", job);
    assertEquals(2, rig.memory.uses().read("acme").open().size());
  }
}
