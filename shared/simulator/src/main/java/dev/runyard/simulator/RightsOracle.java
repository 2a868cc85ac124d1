package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Checks a history in which a role lacks a right for good: each run ends for a cause that follows
/// from it, or has the cause why it waits, or an alarm is on; and nobody retries without a bound.
final class RightsOracle {
  /// An alarm that was raised within this time is still on.
  private static final Duration RECENT = Duration.ofMinutes(90);

  /// Port calls of a run in a minute, on average, once the clients are done.
  private static final long CALLS_A_MINUTE_MAX = 1_500;

  /// What a right is needed for of which `project` is told by the same records as of other runs.
  private static final Set<Right.Need> IN_THE_WAY =
      EnumSet.of(Right.Need.JOBS, Right.Need.TASKS, Right.Need.POISON);

  /// What runs end with for a right that runners lack.
  private static final Map<Right, Set<String>> OF_RUNNERS =
      Map.of(
          Right.EVENTS_READ,
          Set.of(Failure.RUNNER_LOST),
          Right.EVENTS_APPEND,
          Set.of(Failure.RUNNER_LOST),
          Right.QUEUE_RECEIVE,
          Set.of(Failure.NOT_STARTED),
          Right.SLOTS_READ,
          Set.of(Failure.RUNNER_START_FAILED),
          Right.SLOTS_WRITE,
          Set.of(Failure.RUNNER_START_FAILED));

  /// The same for one that others lack: a run that is to be tried again waits until its time is
  /// over.
  private static final Map<Right, Set<String>> OF_OTHERS =
      Map.of(
          Right.QUEUE_SEND,
          Set.of(Failure.NOT_STARTED, Failure.TIMED_OUT),
          Right.USES_PLACE,
          Set.of(Failure.TIMED_OUT),
          Right.FLEET_START,
          Set.of(Failure.RUNNER_START_FAILED));

  private final SimulatedSystem system;

  RightsOracle(SimulatedSystem system) {
    this.system = system;
  }

  /// Whether somebody would notice that a run has not ended.
  boolean visible(RunState.Existing run) {
    return run.blocked().isPresent() || !system.alarms().within(RECENT).isEmpty();
  }

  /// Whether the lists may show a run as it was before it ended: only `sweep` can bring up to date
  /// what `project` could not, it may not, or the records of other streams are in the way; and
  /// somebody would notice.
  boolean keepsModelsOld() {
    return noticed(RightsOracle::stopsCatchingUp);
  }

  /// Whether what these rights are needed for comes to its end.
  boolean finishes(Right.Need need) {
    return !noticed(missing -> missing.right().need() == need);
  }

  /// Whether such a right is missing, a call was refused for it, and somebody would notice.
  private boolean noticed(Predicate<MissingRight> which) {
    return system.faults().missing().filter(which).isPresent()
        && system.faults().refusedSince().isPresent()
        && !system.alarms().within(RECENT).isEmpty();
  }

  private static boolean stopsCatchingUp(MissingRight missing) {
    return missing.roles().contains(Role.SWEEP)
        ? Right.CATCHING_UP.contains(missing.right())
        : missing.roles().contains(Role.PROJECT) && IN_THE_WAY.contains(missing.right().need());
  }

  /// Whether a run, or an attempt, may end with this code, since a call was refused before.
  static boolean explains(Faults faults, String code, Instant end) {
    return faults.refusedSince().filter(since -> !since.isAfter(end)).isPresent()
        && faults.missing().filter(missing -> follows(missing).contains(code)).isPresent();
  }

  private static Set<String> follows(MissingRight missing) {
    return (missing.roles().contains(Role.RUNNER) ? OF_RUNNERS : OF_OTHERS)
        .getOrDefault(missing.right(), Set.of());
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
