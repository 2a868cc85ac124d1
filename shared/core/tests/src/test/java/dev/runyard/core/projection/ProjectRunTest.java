package dev.runyard.core.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ProjectRunTest {
  private static final int LIFE_SECONDS = 8 * 24 * 3600;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final MemoryEventLog log = new MemoryEventLog();
  private final RunLog runs = runs(RunDecider.rules());
  private final CountingModels models = new CountingModels();
  private final ProjectRun project = new ProjectRun(runs, models);
  private final RunKey run = new RunKey("acme", "019c0000-0000-7000-8000-000000000000");

  @Test
  void savesAStateOnce() {
    runs.execute(run, new RunCommand.Submit(request()));

    project.project(run);
    project.project(run);

    assertEquals(List.of(sequence()), models.saved);
  }

  @Test
  void savesWhatCameSince() {
    runs.execute(run, new RunCommand.Submit(request()));
    project.project(run);
    long first = sequence();
    runs.execute(run, new RunCommand.Cancel("enough"));
    project.project(run);

    assertEquals(List.of(first, sequence()), models.saved);
  }

  @Test
  void leavesOutStatesThatPass() {
    runs.execute(run, new RunCommand.Submit(request()));
    project.project(run);
    long queued = sequence();
    runs.execute(run, new RunCommand.Claim("a-1", "runner", "ticket", clock.instant()));
    project.project(run);
    assertEquals(List.of(queued), models.saved);

    report(new RunEvent.TurnStarted(1), new RunEvent.ProcessStarted("p-1", "echo"));
    project.project(run);
    long running = sequence();
    report(new RunEvent.AttemptCompleted(1, "a-1"));
    project.project(run);
    runs.execute(run, new RunCommand.Advance(clock.instant()));
    project.project(run);

    assertEquals(List.of(queued, running, sequence()), models.saved);
  }

  /// Its runner may die now, and its message be lost: then only `sweep` can find the run.
  @Test
  void savesAStateThatPassesIfNothingWasSaved() {
    runs.execute(run, new RunCommand.Submit(request()));
    runs.execute(run, new RunCommand.Claim("a-1", "runner", "ticket", clock.instant()));
    project.project(run);

    assertEquals(List.of(sequence()), models.saved);
  }

  /// While it rests it is never due, so nothing leads `sweep` to it once it goes on.
  @Test
  void savesAStateThatPassesIfTheEarlierOneIsNeverDue() {
    runs.execute(run, new RunCommand.Submit(request()));
    rest();
    assertEquals(Optional.empty(), models.snapshot(run).orElseThrow().dueAt());

    goOnAndStop();

    assertEquals(sequence(), models.saved.getLast());
    assertTrue(models.snapshot(run).orElseThrow().dueAt().isPresent());
  }

  /// The end of its life, which may be months away.
  @Test
  void savesAStateThatPassesIfTheEarlierOneIsDueInDays() {
    runs(RunDecider.rules(LIFE_SECONDS)).execute(run, new RunCommand.Submit(request()));
    rest();
    assertEquals(
        Optional.of(clock.instant().plusSeconds(LIFE_SECONDS)),
        models.snapshot(run).orElseThrow().dueAt());

    goOnAndStop();

    assertEquals(sequence(), models.saved.getLast());
  }

  private void rest() {
    runs.execute(run, new RunCommand.Claim("a-1", "runner", "ticket", clock.instant()));
    report(new RunEvent.TurnStarted(1), new RunEvent.ProcessStarted("p-1", "echo"));
    runs.execute(run, new RunCommand.PutAside("later", Requester.of("somebody")));
    report(new RunEvent.TaskPaused(1, "a-1", "put_aside"));
    runs.execute(run, new RunCommand.Advance(clock.instant()));
    project.project(run);
  }

  private void goOnAndStop() {
    runs.execute(run, new RunCommand.GoOn(Requester.of("somebody")));
    runs.execute(run, new RunCommand.Advance(clock.instant()));
    runs.execute(run, new RunCommand.Claim("a-2", "runner", "ticket", clock.instant()));
    Failure stopped = new Failure(Failure.RUNNER_STOPPED, Category.INTERNAL, "stopped");
    runs.execute(
        run, new RunCommand.Report("a-2", List.of(new RunEvent.AttemptFailed(2, "a-2", stopped))));
    project.project(run);
  }

  /// A run that waited for long is sent again ever more rarely; once it is claimed its own time
  /// counts.
  @Test
  void savesAStateThatPassesIfTheEarlierOneIsDueTooLate() {
    runs.execute(run, new RunCommand.Submit(request()));
    for (int resend = 0; resend < 3; resend++) {
      clock.advance(Duration.between(clock.instant(), due()));
      runs.execute(run, new RunCommand.Advance(clock.instant()));
    }
    project.project(run);
    runs.execute(run, new RunCommand.Claim("a-1", "runner", "ticket", clock.instant()));
    Instant due = due();
    project.project(run);

    assertEquals(due, models.snapshot(run).orElseThrow().dueAt().orElseThrow());
  }

  private Instant due() {
    return ((RunState.Existing) runs.load(run)).dueAt().orElseThrow();
  }

  @Test
  void theListsShowAnEndBeforeAnybodyIsToldOfIt() {
    runs.execute(run, new RunCommand.Submit(request()));
    project.project(run);
    runs.execute(run, new RunCommand.Cancel("enough"));
    runs.execute(run, new RunCommand.Advance(clock.instant()));

    assertTrue(project.ended(run));
    assertTrue(models.snapshot(run).orElseThrow().closed());
    int saves = models.saved.size();

    assertTrue(project.ended(run));
    assertEquals(saves, models.saved.size());
  }

  @Test
  void theListsShowAnEndLaterWhereTheirStoreDoesNotAnswer() {
    runs.execute(run, new RunCommand.Submit(request()));
    models.down = true;

    assertFalse(project.ended(run));
  }

  private RunLog runs(RunDecider rules) {
    return new RunLog(log, Snapshots.none(), rules, clock, new RandomIds(new Random(3)), "test");
  }

  private void report(RunEvent... events) {
    runs.execute(run, new RunCommand.Report("a-1", List.of(events)));
  }

  private long sequence() {
    return runs.load(run).sequence();
  }

  private static RunRequest request() {
    return new RunRequest(
        "echo",
        "hello",
        "s-1",
        Map.of(),
        List.of(),
        null,
        60,
        Map.of(),
        Map.of(),
        RetryPolicy.NEVER);
  }

  private static final class CountingModels implements ReadModels {
    private final MemoryReadModels there = new MemoryReadModels();
    private final List<Long> saved = new ArrayList<>();
    private boolean down;

    @Override
    public Optional<RunState.Existing> snapshot(RunKey key) {
      if (down) {
        throw new PortUnavailable("no answer");
      }
      return there.snapshot(key);
    }

    @Override
    public boolean save(RunState.Existing state) {
      saved.add(state.sequence());
      return there.save(state);
    }

    @Override
    public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
      return there.list(tenant, filter, limit, after);
    }

    @Override
    public List<RunKey> due(int shard, Instant now, int limit) {
      return there.due(shard, now, limit);
    }
  }
}
