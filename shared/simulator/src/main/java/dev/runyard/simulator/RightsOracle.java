package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks a history in which a role lacks a right for good: each run ends for a cause that follows
/// from it, or has the cause why it waits, or an alarm is on; and nobody retries without a bound.
final class RightsOracle {
  /// An alarm that was raised within this time is still on.
  private static final Duration RECENT = Duration.ofMinutes(90);

  /// Port calls of a run in a minute, on average, once the clients are done.
  private static final long CALLS_A_MINUTE_MAX = 1_500;

  private final SimulatedSystem system;

  RightsOracle(SimulatedSystem system) {
    this.system = system;
  }

  /// Whether somebody would notice that a run has not ended.
  boolean visible(RunState.Existing run) {
    return run.blocked().isPresent() || waits(run) || !system.alarms().within(RECENT).isEmpty();
  }

  /// True for a run that no runner can take and whose turn came too late for its time to be over.
  private boolean waits(RunState.Existing run) {
    Instant overdue = system.now().minusSeconds(Limits.QUEUED_SECONDS_MAX);
    return system.faults().missing().orElseThrow().keepsRunsFromRunners()
        && run instanceof RunState.Created created
        && created.waiting().since().isAfter(overdue);
  }

  /// Whether the lists may show a run as it was before it ended: only `sweep` can bring up to date
  /// what `project` could not, it may not, and somebody would notice.
  boolean keepsModelsOld() {
    return system.faults().missing().filter(RightsOracle::stopsCatchingUp).isPresent()
        && !system.alarms().within(RECENT).isEmpty();
  }

  private static boolean stopsCatchingUp(MissingRight missing) {
    return missing.roles().contains(Role.SWEEP) && Right.CATCHING_UP.contains(missing.right());
  }

  /// Whether a run may end with this code.
  static boolean explains(Optional<MissingRight> missing, String code) {
    return missing.isPresent()
        && missing.get().roles().stream().anyMatch(role -> follows(role).contains(code));
  }

  private static Set<String> follows(Role role) {
    return switch (role) {
      case API, PROJECT, DELIVER, NONE -> Set.of();
      case ADVANCE, SWEEP ->
          Set.of(
              Failure.NOT_STARTED,
              Failure.RUNNER_START_FAILED,
              Failure.RUNNER_LOST,
              Failure.TIMED_OUT,
              Failure.AWAIT_TIMED_OUT);
      case RUNNER ->
          Set.of(
              Failure.NOT_STARTED,
              Failure.RUNNER_START_FAILED,
              Failure.RUNNER_LOST,
              Failure.TIMED_OUT,
              Failure.AWAIT_TIMED_OUT);
    };
  }

  /// @param rested how long the system had without clients
  List<Violation> check(Duration rested, Set<RunKey> runs) {
    long calls = system.faults().calls() - system.faults().callsWhileOn();
    long minutes = Math.max(10, rested.toMinutes());
    long most = CALLS_A_MINUTE_MAX * Math.max(1, runs.size()) * minutes;
    return calls <= most
        ? List.of()
        : List.of(
            new Violation(
                "rights",
                "%d calls in %d minutes where %s"
                    .formatted(calls, minutes, system.faults().missing().orElseThrow())));
  }
}
