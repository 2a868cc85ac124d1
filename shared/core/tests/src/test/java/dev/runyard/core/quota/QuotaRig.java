package dev.runyard.core.quota;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// A system in memory whose tenants have limits.
abstract class QuotaRig {
  static final String TENANT = "shop";
  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:10Z"));
  final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  private final Ids ids = new RandomIds(new Random(7));
  private Quotas quotas = Quotas.NONE;
  UseCases cases = new UseCases(ports, clock, ids, "test");

  /// From now on every tenant has these limits.
  void limit(QuotaLimit limit, long value) {
    limit(new Quota(Map.of(limit, value)));
  }

  void limit(Quota quota) {
    quotas = Quotas.all(quota);
    cases = new UseCases(ports, StackTerms.of(quotas), clock, ids, "test");
  }

  RunLog runs() {
    return cases.runs();
  }

  AdvanceRun advance() {
    return cases.advanceRun();
  }

  TenantUse use() {
    return ports.uses().read(TENANT);
  }

  RunRequest request() {
    return request("", 60, RetryPolicy.NEVER);
  }

  static RunRequest request(String session, int seconds, RetryPolicy retry) {
    return new RunRequest(
        "echo", "hi", session, Map.of(), List.of(), null, seconds, Map.of(), Map.of(), retry);
  }

  SubmitRun.Result submit(RunRequest request, Optional<SubmitRun.Key> key) {
    return cases.submitRun().submit(new SubmitRun.By(TENANT, "somebody"), request, key);
  }

  RunKey submitted() {
    clock.advance(java.time.Duration.ofMillis(1));
    return accepted(submit(request(), Optional.empty()));
  }

  static RunKey accepted(SubmitRun.Result result) {
    return assertInstanceOf(SubmitRun.Result.Accepted.class, result).run().facts().run();
  }

  static Problem refused(SubmitRun.Result result) {
    return assertInstanceOf(SubmitRun.Result.Rejected.class, result).problem();
  }

  void start(RunKey run) {
    assertInstanceOf(
        RunLog.Outcome.Done.class,
        runs()
            .execute(
                run,
                new RunCommand.Claim(attempt(run), "runner", "ticket-" + run, clock.instant())));
  }

  void report(RunKey run, RunEvent... events) {
    assertInstanceOf(
        RunLog.Outcome.Done.class,
        runs().execute(run, new RunCommand.Report(attempt(run), List.of(events))));
  }

  /// The run begins, uses something and completes, which nobody has advanced yet.
  void finish(RunKey run, long tokens, double dollars) {
    start(run);
    report(
        run,
        new RunEvent.CostRecorded(new Usage(tokens, 0, 0, 0, dollars), null),
        new RunEvent.ProcessCompleted("process", 0, null, 5),
        new RunEvent.AttemptCompleted(1, attempt(run)));
  }

  void end(RunKey run) {
    finish(run, 0, 0);
    advance().advance(run);
  }

  RunState.Existing state(RunKey run) {
    return (RunState.Existing) runs().load(run);
  }

  boolean held(RunKey run) {
    return state(run) instanceof RunState.Created created && created.waiting().held();
  }

  void sent(RunKey... runs) {
    assertEquals(List.of(runs), ports.queue().runs().stream().distinct().toList());
  }

  static String attempt(RunKey run) {
    return "attempt-" + run.runId();
  }
}
