package dev.runyard.core.quota;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.problem.Reached;
import dev.runyard.core.request.RunRequest;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Asks whether a tenant may submit a run, and counts it if it may, once for each run's id. It is
/// the last thing that is asked before the run is written.
public final class RunAdmission {
  /// When to try again if nobody knows when a run will end.
  static final int OPEN_RETRY_SECONDS = 30;

  private final Quotas quotas;
  private final TenantUses uses;
  private final InstantSource clock;

  public RunAdmission(Quotas quotas, TenantUses uses, InstantSource clock) {
    this.quotas = quotas;
    this.uses = uses;
    this.clock = clock;
  }

  /// The answer about a request.
  public sealed interface Verdict {
    /// The run may be written; the request as it then is.
    record Admitted(RunRequest request) implements Verdict {}

    record Refused(Problem problem) implements Verdict {}
  }

  public Verdict admit(RunKey run, RunRequest request) {
    Quota quota = quotas.of(run.tenant());
    RunRequest within = within(quota, request);
    Instant now = clock.instant();
    return ceiling(quota, within)
        .or(
            () ->
                quota.countsSubmits()
                    ? uses.admit(run, quota, now).map(limit -> reached(quota, limit, now))
                    : Optional.empty())
        .<Verdict>map(Verdict.Refused::new)
        .orElseGet(() -> new Verdict.Admitted(within));
  }

  /// Takes a run out of what is counted that was admitted and will never be written.
  public void withdraw(RunKey run) {
    if (quotas.of(run.tenant()).countsSubmits()) {
      uses.free(run, Optional.of(new TenantUses.Ended(0, 0, Instant.EPOCH)));
    }
  }

  /// The request as the tenant may have it.
  public RunRequest within(String tenant, RunRequest request) {
    return within(quotas.of(tenant), request);
  }

  /// Why the tenant may never have such a run, however few others it has.
  public Optional<Problem> above(String tenant, RunRequest request) {
    Quota quota = quotas.of(tenant);
    return ceiling(quota, within(quota, request));
  }

  /// A request that names no time gets the default one, and so as much of it as its tenant has.
  private static RunRequest within(Quota quota, RunRequest request) {
    long most = quota.most(QuotaLimit.TIMEOUT_SECONDS);
    return request.timeoutSeconds() == Limits.RUN_SECONDS_DEFAULT && most < request.timeoutSeconds()
        ? request.timed((int) most)
        : request;
  }

  private static Optional<Problem> ceiling(Quota quota, RunRequest request) {
    int seconds = request.timeoutSeconds() == 0 ? Limits.RUN_SECONDS_MAX : request.timeoutSeconds();
    if (seconds > quota.most(QuotaLimit.TIMEOUT_SECONDS)) {
      return Optional.of(above(quota, QuotaLimit.TIMEOUT_SECONDS, "timeout_seconds"));
    }
    return request.retry().maxAttempts() > quota.most(QuotaLimit.ATTEMPTS)
        ? Optional.of(above(quota, QuotaLimit.ATTEMPTS, "retry", "max_attempts"))
        : Optional.empty();
  }

  private static Problem above(Quota quota, QuotaLimit limit, String... member) {
    BigDecimal most = quota.written(limit);
    return new Problem(
        ProblemCode.ABOVE_CEILING,
        "Your tenant may ask for at most %s here. Ask for less, or have %s raised."
            .formatted(most, limit.wire()),
        List.of(Pointer.of(member)),
        new Reached(limit.wire(), most, null));
  }

  private static Problem reached(Quota quota, QuotaLimit limit, Instant now) {
    BigDecimal most = quota.written(limit);
    int wait = (int) wait(limit, now.getEpochSecond());
    String detail =
        switch (limit) {
          case MINUTE_SUBMITS ->
              "Your tenant may submit %s runs a minute. Send the request again in %d s."
                  .formatted(most, wait);
          case OPEN_RUNS ->
              "Your tenant may have %s runs that have not ended. Wait until one has, or cancel one."
                  .formatted(most);
          case DAY_TOKENS ->
              "The runs of your tenant that ended today used its %s tokens. Wait for tomorrow in UTC,"
                      .formatted(most)
                  + " or have the limit raised.";
          case DAY_COST ->
              "The runs of your tenant that ended today used its %s dollars. Wait for tomorrow in UTC,"
                      .formatted(most)
                  + " or have the limit raised.";
          case RUNNING_RUNS, TIMEOUT_SECONDS, ATTEMPTS, KEPT_BYTES, UPLOADS ->
              throw new IllegalStateException(limit + " keeps no run from being submitted");
        };
    return new Problem(
        ProblemCode.QUOTA_REACHED, detail, List.of(), new Reached(limit.wire(), most, wait));
  }

  private static long wait(QuotaLimit limit, long now) {
    return switch (limit) {
      case MINUTE_SUBMITS -> TenantUse.MINUTE_SECONDS - now % TenantUse.MINUTE_SECONDS;
      case DAY_TOKENS, DAY_COST -> TenantUse.DAY_SECONDS - now % TenantUse.DAY_SECONDS;
      case OPEN_RUNS, RUNNING_RUNS, TIMEOUT_SECONDS, ATTEMPTS, KEPT_BYTES, UPLOADS ->
          OPEN_RETRY_SECONDS;
    };
  }
}
