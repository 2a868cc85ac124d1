package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Runs that wait again and again, on a store that removes what is older than its retention.
@ExtendWith(StoreRig.Given.class)
class LongWaitsTest {
  private static final Duration WAIT = Duration.ofDays(6);
  private static final Duration LOOK = Duration.ofHours(1);
  private static final Duration LIFE = StoreRig.RETENTION.minusSeconds(Limits.LIFE_SPARE_SECONDS);

  private final RandomIds ids = new RandomIds(new Random(5));
  private final StoreRig rig;
  private final UseCases cases;
  private int attempts;

  LongWaitsTest(StoreRig rig) {
    this.rig = rig;
    this.cases =
        new UseCases(
            new EmbeddedPorts(rig.store(), new MemoryRunnerFleet()),
            StackTerms.of(Quotas.NONE).keeping(StoreRig.RETENTION),
            rig.clock(),
            ids,
            "test");
  }

  @Test
  void aRunThatIsAskedAgainAndAgainEndsWhileItsLogIsWhole() {
    RunKey run = submitted();
    while (!moved(run).closed()) {
      claim(run);
      ask(run);
      passes(run, WAIT);
      decide(run);
    }

    RunState.Failed ended = assertInstanceOf(RunState.Failed.class, moved(run));
    assertEquals(LIFE, Duration.between(StoreRig.START, ended.finishedAt()));
    assertEquals(Failure.AWAIT_TIMED_OUT, ended.error().code());
    assertEquals(5, attempts);
  }

  @Test
  void aRunThatIsNotLetGoOnEndsWhileItsLogIsWhole() {
    RunKey run = submitted();
    claim(run);
    ask(run);
    decide(run);
    execute(run, new RunCommand.PutAside("later", null));
    passes(run, LIFE.minusHours(1));
    assertInstanceOf(RunState.Paused.class, moved(run));
    passes(run, Duration.ofHours(1));

    RunState.Failed ended = assertInstanceOf(RunState.Failed.class, moved(run));
    assertEquals(Failure.TIMED_OUT, ended.error().code());
  }

  /// The last attempt, too, begins with the whole log.
  @Test
  void aRunThatWaitsForLessGoesOn() {
    RunKey run = submitted();
    for (int i = 0; i < 4; i++) {
      claim(run);
      ask(run);
      passes(run, WAIT);
      decide(run);
    }
    passes(run, Duration.ofHours(1));
    claim(run);
    passes(run, Duration.ofMinutes(5));
    execute(
        run,
        new RunCommand.Report(
            attempt(), List.of(new RunEvent.AttemptCompleted(attempts, attempt()))));

    assertInstanceOf(RunState.Completed.class, moved(run));
  }

  /// Time passes, and whoever looks at the run when it is due does so.
  private void passes(RunKey run, Duration time) {
    moved(run);
    Instant end = rig.clock().instant().plus(time);
    while (rig.clock().instant().isBefore(end)) {
      Instant next = rig.clock().instant().plus(LOOK);
      rig.clock().set(next.isBefore(end) ? next : end);
      rig.store().expire();
      RunState.Existing shown = rig.store().models().snapshot(run).orElseThrow();
      if (shown.dueAt().filter(due -> !due.isAfter(rig.clock().instant())).isPresent()) {
        moved(run);
      }
    }
  }

  /// What `advance` and `project` make of the run.
  private RunState moved(RunKey run) {
    RunState state = cases.advanceRun().advance(run);
    cases.projectRun().project(run);
    return state;
  }

  private void claim(RunKey run) {
    attempts++;
    execute(run, new RunCommand.Claim(attempt(), "runner", "ticket", rig.clock().instant()));
    execute(
        run,
        new RunCommand.Report(attempt(), List.of(new RunEvent.ProcessStarted("process", "echo"))));
  }

  private void ask(RunKey run) {
    Question question =
        new Question(
            ActionId.of(run, attempts),
            ActionType.QUESTION,
            "Which?",
            null,
            List.of(),
            Limits.AWAIT_SECONDS_MAX,
            null);
    Instant now = rig.clock().instant();
    execute(
        run,
        new RunCommand.Report(
            attempt(),
            List.of(
                question.asked(now, Limits.AWAIT_SECONDS_DEFAULT, end(run)),
                new RunEvent.TaskPaused(attempts, attempt(), "awaiting"))));
  }

  private void decide(RunKey run) {
    cases
        .runs()
        .execute(
            run,
            new RunCommand.Resolve(
                ActionId.of(run, attempts),
                ActionDecision.ANSWER,
                Question.answer("left"),
                "somebody",
                rig.clock().instant()));
    moved(run);
  }

  private Instant end(RunKey run) {
    return ((RunState.Existing) cases.attemptedRuns().load(run)).facts().lifeEndsAt();
  }

  private String attempt() {
    return "attempt-" + attempts;
  }

  /// A runner does something, which reads the run from its first event.
  private void execute(RunKey run, RunCommand command) {
    assertInstanceOf(RunLog.Outcome.Done.class, cases.attemptedRuns().execute(run, command));
  }

  private RunKey submitted() {
    RunRequest request =
        new RunRequest(
            "echo",
            "say hello",
            "session-1",
            Map.of(),
            List.of(),
            null,
            600,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER);
    return assertInstanceOf(
            SubmitRun.Result.Accepted.class,
            cases.submitRun().submit(new SubmitRun.By("acme", "me"), request, Optional.empty()))
        .run()
        .facts()
        .run();
  }
}
