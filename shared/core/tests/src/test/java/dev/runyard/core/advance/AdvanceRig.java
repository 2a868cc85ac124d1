package dev.runyard.core.advance;

import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Runs in memory, in whatever state `advance` may find them.
abstract class AdvanceRig {
  static final Failure WHY =
      new Failure(Failure.RUNNER_START_FAILED, Category.CAPACITY, "Push an image.");
  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final Ids ids = new RandomIds(new Random(9));
  final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  final UseCases cases = new UseCases(ports, clock, ids, "test");
  final RunLog runs = cases.runs();
  final AdvanceRun advance = cases.advanceRun();

  RunKey submitted(String session) {
    return submitted(session, RetryPolicy.NEVER);
  }

  RunKey submitted(String session, RetryPolicy retry) {
    RunRequest request =
        new RunRequest(
            "echo", "hi", session, Map.of(), List.of(), null, 60, Map.of(), Map.of(), retry);
    SubmitRun.Result result =
        cases.submitRun().submit(new SubmitRun.By("acme", "somebody"), request, Optional.empty());
    return ((SubmitRun.Result.Accepted) result).run().facts().run();
  }

  RunKey claimed(RetryPolicy retry) {
    RunKey run = submitted("", retry);
    runs.execute(run, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
    return run;
  }

  void report(RunKey run, RunEvent... events) {
    runs.execute(run, new RunCommand.Report("attempt-1", List.of(events)));
  }

  void cancel(RunKey run) {
    cases.cancelRun().cancel(run, "enough", "somebody");
  }

  RunState.Existing state(RunKey run) {
    return (RunState.Existing) runs.load(run);
  }

  RunCommand.Block block() {
    return new RunCommand.Block("no_image", WHY, clock.instant(), true, clock.instant());
  }
}
