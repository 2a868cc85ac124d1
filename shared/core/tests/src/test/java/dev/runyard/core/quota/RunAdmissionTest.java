package dev.runyard.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.problem.Reached;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.submit.SubmitRun;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RunAdmissionTest extends QuotaRig {
  private static final Optional<SubmitRun.Key> KEY = Optional.of(new SubmitRun.Key("k-1", "f-1"));

  @Test
  void countsNothingWhereNothingIsLimited() {
    submitted();

    assertTrue(ports.uses().all().isEmpty());
  }

  @Test
  void refusesMoreThanAMinuteHasAndSaysWhenItIsOver() {
    limit(QuotaLimit.MINUTE_SUBMITS, 1);
    submitted();

    Problem problem = refused(submit(request(), Optional.empty()));

    assertEquals(ProblemCode.QUOTA_REACHED, problem.code());
    assertEquals(
        new Reached("minute_submits_max", BigDecimal.ONE, 50), problem.reached(), "ten past");
    clock.advance(Duration.ofSeconds(50));
    submitted();
  }

  @Test
  void refusesBeforeAnythingIsStoredOrSent() {
    limit(QuotaLimit.OPEN_RUNS, 1);
    RunKey run = submitted();

    Problem problem = refused(submit(request(), Optional.empty()));

    assertEquals(ProblemCode.QUOTA_REACHED, problem.code());
    assertEquals("open_runs_max", reached(problem).limit());
    sent(run);
  }

  @Test
  void aRunCountsUntilItHasEnded() {
    limit(QuotaLimit.OPEN_RUNS, 1);
    RunKey run = submitted();
    finish(run, 5, 0);
    refused(submit(request(), Optional.empty()));

    advance().advance(run);

    submitted();
  }

  @Test
  void aRepeatOfAnAcceptedSubmitIsAnsweredAndNotCounted() {
    limit(new Quota(Map.of(QuotaLimit.OPEN_RUNS, 1L, QuotaLimit.MINUTE_SUBMITS, 1L)));
    RunKey run = accepted(submit(request(), KEY));

    assertEquals(run, accepted(submit(request(), KEY)));
    assertEquals(1, use().open().size());
    limit(QuotaLimit.TIMEOUT_SECONDS, 1);
    assertEquals(run, accepted(submit(request(), KEY)), "whatever the limits are now");
  }

  @Test
  void aRefusedSubmitIsAcceptedWithTheSameKeyOnceThereIsRoom() {
    limit(QuotaLimit.OPEN_RUNS, 1);
    RunKey first = submitted();
    refused(submit(request(), KEY));
    refused(submit(request(), KEY));

    end(first);

    RunKey second = accepted(submit(request(), KEY));
    assertEquals(List.of(second.runId()), List.copyOf(use().open()));
  }

  @Test
  void countsExactlyUnderManySubmitsAtOnce() throws Exception {
    limit(new Quota(Map.of(QuotaLimit.OPEN_RUNS, 30L, QuotaLimit.MINUTE_SUBMITS, 40L)));
    try (var threads = Executors.newFixedThreadPool(200)) {
      List<Callable<SubmitRun.Result>> submits =
          IntStream.range(0, 200)
              .<Callable<SubmitRun.Result>>mapToObj(
                  i ->
                      () ->
                          submit(
                              request(),
                              Optional.of(new SubmitRun.Key("k-" + i / 2, "f-" + i / 2))))
              .toList();
      int accepted = 0;
      for (Future<SubmitRun.Result> result : threads.invokeAll(submits)) {
        if (result.get() instanceof SubmitRun.Result.Accepted) {
          accepted++;
        }
      }
      assertTrue(accepted >= 30 && accepted <= 60, "each key was sent twice: " + accepted);
    }
    assertEquals(30, use().open().size());
    assertEquals(30, ports.queue().runs().stream().distinct().count());
  }

  @Test
  void refusesForTheRestOfTheDayWhatItsRunsUsedUp() {
    limit(new Quota(Map.of(QuotaLimit.DAY_TOKENS, 100L, QuotaLimit.DAY_COST, 2_000_000L)));
    RunKey run = submitted();
    RunKey other = submitted();
    finish(run, 100, 0.5);
    advance().advance(run);
    advance().advance(run);

    Problem problem = refused(submit(request(), Optional.empty()));

    assertEquals("day_tokens_max", reached(problem).limit());
    assertEquals(12 * 3600 - 10, reached(problem).retryAfterSeconds(), "noon and ten seconds");
    assertEquals(100, use().tokens());
    clock.advance(Duration.ofHours(12));
    submitted();
    finish(other, 1, 2);
    advance().advance(other);
    assertEquals("day_cost_usd_max", reached(refused(submit(request(), Optional.empty()))).limit());
  }

  @Test
  void refusesWhatAsksForMoreThanTheCeiling() {
    limit(new Quota(Map.of(QuotaLimit.TIMEOUT_SECONDS, 600L, QuotaLimit.ATTEMPTS, 2L)));

    Problem time = refused(submit(request("", 601, RetryPolicy.NEVER), Optional.empty()));
    Problem longest = refused(submit(request("", 0, RetryPolicy.NEVER), Optional.empty()));
    Problem attempts =
        refused(submit(request("", 600, new RetryPolicy(3, List.of("*"), 0)), Optional.empty()));

    assertEquals(ProblemCode.ABOVE_CEILING, time.code());
    assertEquals(List.of("/timeout_seconds"), time.pointers());
    assertEquals("timeout_seconds_max", reached(longest).limit(), "0 is the longest time");
    assertNull(reached(time).retryAfterSeconds(), "waiting does not help");
    assertEquals(List.of("/retry/max_attempts"), attempts.pointers());
    accepted(submit(request("", 600, RetryPolicy.NEVER), Optional.empty()));
  }

  @Test
  void theDefaultTimeIsNoMoreThanTheCeiling() {
    limit(QuotaLimit.TIMEOUT_SECONDS, 600);

    RunKey run = accepted(submit(request("", 3600, RetryPolicy.NEVER), Optional.empty()));

    assertEquals(600, state(run).facts().request().timeoutSeconds());
  }

  private static Reached reached(Problem problem) {
    return Objects.requireNonNull(problem.reached());
  }
}
