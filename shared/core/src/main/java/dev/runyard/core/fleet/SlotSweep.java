package dev.runyard.core.fleet;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Frees the slots whose runners are gone or never started, and reports which starts failed.
final class SlotSweep {
  /// The start of a claim without a known task is requested again after this time: the function
  /// that made the claim is gone, or got no answer. The service answers with the task it started.
  static final int ASK_AGAIN_SECONDS = 30;

  /// A task that was just started may not be listed yet, for a minute; how long ago that was, a
  /// function tells by another one's clock.
  static final int SHOWN_SECONDS_MAX = 60 + Limits.CLOCK_SKEW_SECONDS_MAX;

  /// For how long after a start the service is asked for its task: ECS forgets tokens after 24 h,
  /// and would start another.
  static final int TOKEN_SECONDS_MAX = 23 * 3600;

  private final Slots slots;
  private final RunnerFleet runners;
  private final Instant now;
  private final BooleanSupplier mayStart;
  private final List<StartFailure> failures = new ArrayList<>();
  private boolean answered = true;
  private @Nullable PortUnavailable unseen;

  /// @param mayStart whether there is time for another start
  SlotSweep(Slots slots, RunnerFleet runners, Instant now, BooleanSupplier mayStart) {
    this.slots = slots;
    this.runners = runners;
    this.now = now;
    this.mayStart = mayStart;
  }

  List<StartFailure> failures() {
    return failures;
  }

  /// False when a start got no answer. Then no other is requested: many calls without an answer
  /// would take all the time of the function.
  boolean answered() {
    return answered;
  }

  /// The fleet afterwards.
  ///
  /// @param looks whether the service is asked what became of the tasks
  Fleet sweep(Fleet fleet, boolean looks) {
    Map<String, RunnerFleet.Fate> fates = looks ? fates(fleet) : Map.of();
    Fleet swept = fleet;
    for (Slot slot : fleet.slots()) {
      Slot after =
          switch (slot) {
            case Slot.Free free -> free;
            case Slot.Claimed claimed -> claimed(claimed, fates);
            case Slot.Held held -> held(held, fates);
          };
      if (!after.equals(slot)) {
        swept = slots.write(after) ? swept.with(after) : slots.read();
      }
    }
    return swept;
  }

  /// Throws if the service did not say what became of the tasks: the slots of runners that died may
  /// then stay taken.
  void requireSeen() {
    if (unseen != null) {
      throw unseen;
    }
  }

  /// If the service does not answer, nothing is known and the slots keep their runners.
  private Map<String, RunnerFleet.Fate> fates(Fleet fleet) {
    List<String> tasks =
        fleet.slots().stream().flatMap(slot -> task(slot).stream()).distinct().toList();
    try {
      return tasks.isEmpty() ? Map.of() : runners.look(tasks);
    } catch (PortUnavailable e) {
      unseen = e;
      return Map.of();
    }
  }

  private static Optional<String> task(Slot slot) {
    return switch (slot) {
      case Slot.Free _ -> Optional.empty();
      case Slot.Claimed claimed -> claimed.claim().task();
      case Slot.Held held -> held.claim().task();
    };
  }

  private Slot claimed(Slot.Claimed slot, Map<String, RunnerFleet.Fate> fates) {
    if (slot.claim().olderThan(Slot.START_SECONDS_MAX, now)) {
      return failed(slot, new StartFailure(StartFailure.Cause.NOT_READY, slot.toString()));
    }
    if (slot.claim().task().isEmpty()) {
      return answered && slot.claim().olderThan(ASK_AGAIN_SECONDS, now) && mayStart.getAsBoolean()
          ? ask(slot)
          : slot;
    }
    return switch (fates.get(slot.claim().task().get())) {
      case RunnerFleet.Fate.Stopped stopped -> failed(slot, stopped.why());
      case RunnerFleet.Fate.Missing _ when slot.claim().olderThan(SHOWN_SECONDS_MAX, now) ->
          failed(slot, new StartFailure(StartFailure.Cause.STOPPED, "the task is gone"));
      case RunnerFleet.Fate.Missing _, RunnerFleet.Fate.Alive _ -> slot;
      case null -> slot;
    };
  }

  /// Where the service refuses, the runner may come nevertheless, and finds that its claim is gone.
  private Slot ask(Slot.Claimed slot) {
    try {
      return switch (runners.start(slot.number(), slot.claim().token())) {
        case RunnerFleet.Start.Started started -> slot.task(started.task());
        case RunnerFleet.Start.Refused refused -> failed(slot, refused.failure());
      };
    } catch (PortUnavailable e) {
      answered = false;
      failures.add(new StartFailure(StartFailure.Cause.NO_ANSWER, String.valueOf(e.getMessage())));
      return slot;
    }
  }

  private Slot failed(Slot slot, StartFailure failure) {
    failures.add(failure);
    return slot.free();
  }

  /// A runner whose task is known to live keeps its slot however long it was silent: its runs may
  /// continue. A runner whose task is not listed keeps it as long as it renews it, and one whose
  /// task is not known as long as it can be [asked for][#name].
  private Slot held(Slot.Held slot, Map<String, RunnerFleet.Fate> fates) {
    if (slot.silentFor(Slot.SILENT_SECONDS_MAX, now)) {
      return slot.free();
    }
    RunnerFleet.Fate fate = slot.claim().task().map(fates::get).orElse(null);
    return switch (fate) {
      case RunnerFleet.Fate.Alive _ -> slot;
      case RunnerFleet.Fate.Stopped _ -> slot.free();
      case RunnerFleet.Fate.Missing _ -> slot.expired(now) ? slot.free() : slot;
      case null -> forgotten(slot) && slot.expired(now) ? slot.free() : slot;
    };
  }

  private boolean forgotten(Slot.Held slot) {
    return slot.claim().task().isEmpty() && slot.claim().olderThan(TOKEN_SECONDS_MAX, now);
  }

  /// Finds out the tasks of runners of which nobody knows them, as the answer to their start was
  /// lost: the same start again names the task. That is asked before it matters, as the service may
  /// refuse it when it does.
  void name(Fleet fleet) {
    for (Slot slot : fleet.slots()) {
      if (slot instanceof Slot.Held held
          && held.claim().task().isEmpty()
          && held.claim().olderThan(ASK_AGAIN_SECONDS, now)
          && !forgotten(held)
          && mayStart.getAsBoolean()) {
        Slot after = named(held);
        if (!after.equals(slot)) {
          slots.write(after);
        }
      }
    }
  }

  /// A slot is given away only if the service has looked for the claim and has no runner of it.
  private Slot named(Slot.Held slot) {
    try {
      return switch (runners.start(slot.number(), slot.claim().token())) {
        case RunnerFleet.Start.Started started -> slot.task(started.task());
        case RunnerFleet.Start.Refused(StartFailure why, boolean none) -> {
          if (slot.silentFor(Slot.QUIET_SECONDS, now)) {
            failures.add(why);
          }
          yield none && slot.expired(now) ? slot.free() : slot;
        }
      };
    } catch (PortUnavailable _) {
      return slot;
    }
  }
}
