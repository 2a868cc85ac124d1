package dev.runyard.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks whether the fleet keeps its bounds: never do two runners work in one slot, or more than
/// there may be, and a run that waits while no runner starts gets the cause within a minute of that
/// being known, and ends if that lasts.
final class FleetOracle {
  /// A minute until `sweep` runs, and the time that functions need.
  private static final Duration MINUTE = Duration.ofSeconds(75);

  /// Until it is known that a task stopped: it fails after a while, and that is shown later.
  private static final Duration STOPS = Duration.ofSeconds(90);

  /// Until a task that never comes up is given up.
  private static final Duration NEVER = Duration.ofMinutes(5);

  /// Until `sweep` has seen a runner.
  private static final Duration SEEN = Duration.ofSeconds(90);

  /// The same where sweeps may fail.
  private static final Duration SEEN_LATE = Duration.ofMinutes(5);

  /// Faults that delay no cause beyond the bounds above.
  private static final Set<Fault> PUNCTUAL =
      EnumSet.of(Fault.START_FAILS, Fault.TASK_UNSEEN, Fault.TWICE);

  /// Runs of one history.
  private static final int RUNS_MAX = 4;

  private final SimulatedSystem system;
  private final SimulatedFleet fleet;
  private final List<Failed> failures = new ArrayList<>();
  private final StartsOracle starts = new StartsOracle();
  private final List<Violation> violations = new ArrayList<>();

  FleetOracle(SimulatedSystem system, SimulatedFleet fleet) {
    this.system = system;
    this.fleet = fleet;
  }

  StartsOracle starts() {
    return starts;
  }

  /// A start that failed.
  private record Failed(StartFailure.Cause cause, Instant at) {}

  void failed(StartFailure.Cause cause, Instant at) {
    failures.add(new Failed(cause, at));
  }

  /// A runner begins to work.
  void working() {
    if (!system.setting().started()) {
      return;
    }
    List<StartedTask> all = fleet.tasks().stream().filter(StartedTask::works).toList();
    if (all.stream().map(StartedTask::slot).distinct().count() < all.size()) {
      violations.add(
          new Violation("fleet", "two work in one slot at %s: %s".formatted(system.now(), all)));
    }
    if (all.size() > system.setting().fleet().max()) {
      violations.add(
          new Violation("fleet", "too many work at %s: %s".formatted(system.now(), all)));
    }
  }

  /// True when starts failed for as long as an ended run waits at least once it has the cause, and
  /// no runner came that could be seen before its end.
  boolean failedBefore(RunKey run) {
    Instant to = system.log().changedAt(run);
    Instant earliest = to.minusSeconds(Limits.BLOCKED_SECONDS_MAX).plus(system.skewMax());
    OptionalInt waited =
        failures.stream()
            .filter(failed -> !failed.at().isBefore(earliest) && !failed.at().isAfter(to))
            .mapToInt(failed -> failed.cause().secondsMax())
            .min();
    if (waited.isEmpty()) {
      return false;
    }
    Instant from = to.minusSeconds(waited.getAsInt()).plus(system.skewMax());
    return wasTold(run, waited.getAsInt())
        && fleet.tasks().stream().noneMatch(task -> took(task, from, to));
  }

  /// True if the ended run had a first cause for so long since it waits.
  private boolean wasTold(RunKey run, int seconds) {
    Instant told = Instant.MAX;
    List<StoredEvent> events = system.log().events(run);
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.AttemptStarted _ -> told = Instant.MAX;
        case TaskBlocked _ -> told = told.isBefore(stored.timestamp()) ? told : stored.timestamp();
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
    Instant last = events.getLast().timestamp().minusSeconds(seconds).plus(system.skewMax());
    return !told.isAfter(last);
  }

  /// True when the runner began to work in a span and worked long enough to be seen.
  private boolean took(StartedTask task, Instant from, Instant to) {
    Duration seen = PUNCTUAL.containsAll(system.faults().kinds()) ? SEEN : SEEN_LATE;
    Instant at = task.tookAt();
    return at != null
        && at.isAfter(from)
        && at.plus(seen).isBefore(to)
        && task.worked(at.plus(seen), Instant.MAX);
  }

  /// True when runs may have to wait for others to end, for any time.
  boolean full() {
    return system.setting().lasting() && scarce();
  }

  /// True when there may be more runs than places.
  boolean scarce() {
    return system.setting().places() < RUNS_MAX;
  }

  /// What is wrong with the fleet, and with the causes that its runs got.
  List<Violation> check(Set<RunKey> runs) {
    List<Violation> found = new ArrayList<>(violations);
    if (PUNCTUAL.containsAll(system.faults().kinds())) {
      runs.stream()
          .sorted((a, b) -> a.runId().compareTo(b.runId()))
          .forEach(run -> told(run, found));
      found.addAll(starts.check(system.log().changed(), system.setting().fleet()));
    }
    return Collections.unmodifiableList(found);
  }

  /// All tasks, and the starts that failed.
  @Override
  public String toString() {
    return system.setting().started()
        ? "; runners %s, failed starts %s".formatted(fleet.tasks(), failures)
        : "";
  }

  private void told(RunKey run, List<Violation> found) {
    Wait wait = new Wait();
    for (StoredEvent stored : system.log().events(run)) {
      wait.until(stored.timestamp(), found, run);
      wait.saw(stored);
    }
  }

  /// The wait of a run for a runner, as far as its events were seen.
  private final class Wait {
    private @Nullable Instant since;
    private @Nullable Instant toldAt;
    private boolean resumed;

    void saw(StoredEvent stored) {
      switch (stored.event()) {
        case RunEvent.TaskQueued queued ->
            since =
                queued.behind() != null
                    ? null
                    : since == null ? stored.timestamp().plusSeconds(queued.delaySeconds()) : since;
        case TaskBlocked _ -> toldAt = toldAt == null ? stored.timestamp() : toldAt;
        case RunEvent.AttemptStarted _, RunEvent.CancelRequested _, RunEvent.Terminal _ -> {
          since = null;
          toldAt = null;
          resumed = false;
        }
        case RunEvent.TaskResumed _ -> resumed = true;
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }

    /// `sweep` may be the first to start a runner for one that goes on after a pause: its message,
    /// which alone says that it waits, may come after `advance` has looked. Another sweep is then
    /// the first to see that the start failed, unless it was refused at once.
    private Duration start(StartFailure.Cause cause) {
      return resumed && !holds(cause).isZero() ? MINUTE : Duration.ZERO;
    }

    /// The run has waited up to `now` with the causes it had by then.
    void until(Instant now, List<Violation> found, RunKey run) {
      Instant from = since;
      if (from == null) {
        return;
      }
      for (SimulatedFleet.Trouble trouble : fleet.troubles()) {
        Instant begin = later(from, trouble.from());
        Instant end = now.isBefore(trouble.to()) ? now : trouble.to();
        Duration patience = patience(trouble);
        boolean alone = fleet.tasks().stream().noneMatch(task -> task.worked(begin, end));
        if (alone
            && toldAt == null
            && end.isAfter(begin.plus(start(trouble.cause())).plus(patience))) {
          found.add(
              new Violation(
                  "fleet",
                  "%s waited from %s and was not told by %s of %s"
                      .formatted(run, begin, end, trouble)));
        }
        Instant told = toldAt;
        Duration most = patience.plusSeconds(Limits.BLOCKED_SECONDS_MAX).plus(patience);
        if (alone && told != null && end.isAfter(later(begin, told).plus(most))) {
          found.add(
              new Violation(
                  "fleet",
                  "%s was told at %s and had not ended by %s of %s"
                      .formatted(run, told, end, trouble)));
        }
      }
    }

    private static Instant later(Instant a, Instant b) {
      return a.isAfter(b) ? a : b;
    }
  }

  /// How long it takes at most until the cause is known: also until the tasks of an earlier trouble
  /// have given back the slots.
  private Duration patience(SimulatedFleet.Trouble trouble) {
    return fleet.troubles().stream()
        .filter(other -> !other.from().isAfter(trouble.from()))
        .filter(other -> other.to().plus(holds(other.cause())).isAfter(trouble.from()))
        .map(other -> MINUTE.plus(holds(other.cause())))
        .max(Comparator.naturalOrder())
        .orElse(MINUTE);
  }

  /// How long a task that failed for the cause may keep its slot.
  private static Duration holds(StartFailure.Cause cause) {
    return switch (cause) {
      case NO_CAPACITY, QUOTA, THROTTLED, REFUSED, NO_ADDRESS -> Duration.ZERO;
      case NO_IMAGE, PULL_FAILED, OUTDATED_RUNNER, NO_NETWORK, NO_ISOLATION, STOPPED -> STOPS;
      case NO_ANSWER, NOT_READY -> NEVER;
    };
  }
}
