package dev.runyard.core.submit;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.quota.RunAdmission;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Accepts a validated request: binds its idempotency key, writes the first events, sends the queue
/// message unless the run waits for its turn. If the message could not be sent, that is not a
/// failure: `sweep` sends it again.
public final class SubmitRun {
  private final RunLog runs;
  private final EventLog log;
  private final TurnOrder turns;
  private final IdempotencyStore keys;
  private final InstantSource clock;
  private final Ids ids;
  private final Check check;
  private final RunAdmission quota;

  /// Looks at what a request names outside of the log, before anything is written.
  @FunctionalInterface
  public interface Check {
    /// Why the request must not become a run of the tenant.
    Optional<Problem> refusal(String tenant, RunRequest request);

    /// The first refusal of two.
    static Check all(Check one, Check other) {
      return (tenant, request) ->
          one.refusal(tenant, request).or(() -> other.refusal(tenant, request));
    }
  }

  /// What may keep a request from becoming a run that starts now.
  ///
  /// @param quota asked last, since it counts what it admits
  public record Admission(TurnOrder turns, Check check, RunAdmission quota) {}

  public SubmitRun(
      RunLog runs,
      EventLog log,
      Admission admission,
      IdempotencyStore keys,
      InstantSource clock,
      Ids ids) {
    this.runs = runs;
    this.log = log;
    this.turns = admission.turns();
    this.keys = keys;
    this.clock = clock;
    this.ids = ids;
    this.check = admission.check();
    this.quota = admission.quota();
  }

  /// Accepts the request, once for a `key`.
  public Result submit(By by, RunRequest request, Optional<Key> key) {
    String tenant = by.tenant();
    RunCommand.Submit submit = new RunCommand.Submit(request, by.actor());
    String fresh = ids.runId(clock.instant());
    if (key.isEmpty()) {
      return create(new RunKey(tenant, fresh), submit);
    }
    IdempotencyStore.Binding binding =
        keys.bind(
            new IdempotencyStore.Claim(
                tenant, key.get().value(), key.get().fingerprint(), fresh, clock.instant()));
    return switch (binding) {
      case IdempotencyStore.Binding.Fresh _ -> create(new RunKey(tenant, fresh), submit);
      case IdempotencyStore.Binding.Known known -> again(new RunKey(tenant, known.runId()), submit);
      case IdempotencyStore.Binding.Mismatch _ ->
          new Result.Rejected(
              Problem.of(
                  ProblemCode.IDEMPOTENCY_MISMATCH,
                  "This Idempotency-Key was used with another request. Use a new key."));
    };
  }

  /// Accepts the request once for all of its keys, each of which is bound to the run that the keys
  /// lead to; where they lead to several, the last one counts.
  public Once once(By by, RunRequest request, List<Key> allKeys) {
    RunCommand.Submit submit = new RunCommand.Submit(request, by.actor());
    String fresh = ids.runId(clock.instant());
    String found = fresh;
    for (Key key : allKeys) {
      IdempotencyStore.Claim claim =
          new IdempotencyStore.Claim(
              by.tenant(), key.value(), key.fingerprint(), found, clock.instant());
      switch (keys.bind(claim)) {
        case IdempotencyStore.Binding.Fresh _ -> {}
        case IdempotencyStore.Binding.Known known -> found = known.runId();
        case IdempotencyStore.Binding.Mismatch _ ->
            throw new IllegalArgumentException("a key whose fingerprint is not its own");
      }
    }
    RunKey run = new RunKey(by.tenant(), found);
    boolean there = !found.equals(fresh) && log.chunkAt(run, 1).isPresent();
    return new Once(there ? again(run, submit) : create(run, submit), there);
  }

  /// What became of a request that has several keys.
  ///
  /// @param repeated whether there was the run already
  public record Once(Result result, boolean repeated) {}

  private Result create(RunKey run, RunCommand.Submit submit) {
    RunRequest request = submit.request();
    boolean own = request.sessionId().isEmpty();
    RunRequest placed = own ? request.inSession(run.runId()) : request;
    if (!own && !turns.hasRoom(run.tenant(), request.sessionId())) {
      return new Result.Rejected(
          Problem.of(
              ProblemCode.SESSION_FULL,
              "%d runs of the session have not ended. Wait until some have, then send the request again."
                  .formatted(TurnOrder.SESSION_RUNS_MAX)));
    }
    Optional<Problem> refusal = check.refusal(run.tenant(), request);
    if (refusal.isPresent()) {
      return new Result.Rejected(refusal.get());
    }
    return switch (quota.admit(run, placed)) {
      case RunAdmission.Verdict.Refused refused -> new Result.Rejected(refused.problem());
      case RunAdmission.Verdict.Admitted admitted -> begin(run, admitted.request(), submit);
    };
  }

  private Result begin(RunKey run, RunRequest request, RunCommand.Submit submit) {
    return switch (runs.execute(
        run, RunState.absent(), new RunCommand.Submit(request, submit.actor()))) {
      case RunLog.Outcome.Done done -> {
        RunState.Existing accepted = (RunState.Existing) done.state();
        send(accepted);
        yield new Result.Accepted(accepted);
      }
      case RunLog.Outcome.Refused _ -> again(run, submit);
      case RunLog.Outcome.Unchanged _, RunLog.Outcome.Deferred _ ->
          throw new IllegalStateException("a submit either makes a run or finds one");
    };
  }

  /// The same response as the first time: the run as it was accepted.
  private Result again(RunKey run, RunCommand.Submit submit) {
    Optional<Chunk> first = log.chunkAt(run, 1);
    return first.isPresent()
        ? new Result.Accepted((RunState.Existing) RunLog.behind(RunState.absent(), first.get()))
        : create(run, submit);
  }

  private void send(RunState.Existing run) {
    try {
      turns.send(run, 0);
    } catch (PortUnavailable _) {
      return;
    }
  }

  /// Who submits.
  ///
  /// @param actor their name in events
  public record By(String tenant, String actor) {}

  /// An idempotency key with the fingerprint of the request it came with.
  public record Key(String value, String fingerprint) {}

  /// What became of a request.
  public sealed interface Result {
    record Accepted(RunState.Existing run) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }
}
