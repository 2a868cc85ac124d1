package dev.runyard.bench.sweep;

import dev.runyard.core.access.Identity;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.sweep.OpenRuns;
import dev.runyard.core.sweep.SweepRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Many runs whose agents work and have said something since their snapshots were stored, so long
/// ago that `sweep` looks at each: it folds what came since and stores a snapshot, as a visit of
/// such a run does.
final class ManyRuns {
  private static final int DELTAS = 20;
  private static final String ATTEMPT = "attempt-1";

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(7));
  private final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  private final UseCases useCases = new UseCases(ports, clock, ids, "bench");
  private final RunLog runs = useCases.runs();
  private final OnceDue models = new OnceDue(ports.models());
  private final int count;

  ManyRuns(int count) {
    this.count = count;
    for (int i = 0; i < count; i++) {
      begin(new RunKey(Identity.TENANT_DEFAULT, ids.runId(clock.instant())));
    }
    clock.advance(Duration.ofSeconds(Limits.SILENT_SECONDS / 2));
    models.all().forEach(this::speak);
    clock.advance(Duration.ofSeconds(Limits.SILENT_SECONDS / 2));
  }

  /// Sweeps until each run was visited once, and returns how many visits that were.
  int sweep() {
    AdvanceRun advance = useCases.advanceRun();
    SweepRuns sweep =
        new SweepRuns(
            new OpenRuns(models, advance, _ -> true),
            ports.deadLetters(),
            ports.streamFailures(),
            useCases.scaleRunners(new FleetSize(0, 1, 1), _ -> {}),
            Lanes.one(),
            clock);
    int visits = 0;
    while (visits < count) {
      SweepRuns.Swept swept = sweep.sweep(Instant.MAX);
      if (swept.handled() == 0 || swept.failed()) {
        throw new IllegalStateException("a sweep failed: " + swept);
      }
      visits += swept.handled();
    }
    return visits;
  }

  private void begin(RunKey run) {
    RunRequest request =
        new RunRequest(
            AgentCatalog.ECHO.name(),
            "hi",
            run.runId(),
            Map.of(),
            List.of(),
            null,
            Limits.RUN_SECONDS_MAX,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER);
    execute(run, new RunCommand.Submit(request));
    execute(run, new RunCommand.Claim(ATTEMPT, "runner", "message", clock.instant()));
    RunLog.Outcome.Done started =
        execute(
            run,
            new RunCommand.Report(
                ATTEMPT,
                List.of(new RunEvent.TurnStarted(1), new RunEvent.ProcessStarted("p", "echo"))));
    models.save((RunState.Existing) started.state());
    models.open(run);
  }

  private void speak(RunKey run) {
    RunEvent said = new RunEvent.ModelDelta("A few words of text.");
    execute(run, new RunCommand.Report(ATTEMPT, Collections.nCopies(DELTAS, said)));
  }

  private RunLog.Outcome.Done execute(RunKey run, RunCommand command) {
    if (runs.execute(run, command) instanceof RunLog.Outcome.Done done) {
      return done;
    }
    throw new IllegalStateException("refused: " + command);
  }
}
