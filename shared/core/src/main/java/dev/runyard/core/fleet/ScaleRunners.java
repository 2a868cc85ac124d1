package dev.runyard.core.fleet;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunCommand;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Starts runners for the backlog: as many as the waiting and running runs need, at least the
/// minimum, and never more than there are slots, however many functions do so at once.
public final class ScaleRunners {
  /// Most runners one call starts, each with its own request.
  public static final int START_MAX = 10;

  /// No other runner is started after this long in one call, however many are missing: each start
  /// may take seconds, and the caller has other work.
  public static final int STARTING_SECONDS_MAX = 12;

  /// Most collisions with other writers in one call. Each one means that somebody else made
  /// progress.
  private static final int COLLISIONS_MAX = 100;

  private final RunQueue queue;
  private final Slots slots;
  private final RunnerFleet runners;
  private final FleetSize size;
  private final Ids ids;
  private final FleetLog log;

  public ScaleRunners(
      RunQueue queue, Slots slots, RunnerFleet runners, FleetSize size, Ids ids, FleetLog log) {
    this.queue = queue;
    this.slots = slots;
    this.runners = runners;
    this.size = size;
    this.ids = ids;
    this.log = log;
  }

  /// Compares backlog and fleet once.
  ///
  /// @param clock the caller's
  /// @param accepted runs known to wait for their first runner, whose messages the queue may not
  ///   count yet: the message follows the event, and a queue counts late
  /// @return what to record in the waiting runs; empty if starts succeed or none is needed
  /// @throws PortUnavailable at the end, if it could not be seen which runners are gone and there
  ///   is nothing to record
  public Optional<RunCommand.Block> scale(InstantSource clock, int accepted) {
    return scale(clock, accepted, true);
  }

  /// The same without a look at the runners' tasks, for callers that are many: they would ask a
  /// service that answers few. Starts that are refused are seen as well, and tasks that stop by the
  /// next call of [#scale].
  public Optional<RunCommand.Block> startMissing(InstantSource clock, int accepted) {
    return scale(clock, accepted, false);
  }

  private Optional<RunCommand.Block> scale(InstantSource clock, int accepted, boolean looks) {
    Instant now = clock.instant();
    BooleanSupplier mayStart = mayStart(clock, now);
    RunQueue.Depth depth = queue.depth();
    Fleet seen = slots.read();
    int runs = Math.max(depth.waiting(), accepted) + depth.inFlight() + seen.unqueued(now);
    if (size.needed(runs) > size.max()) {
      log.full(size.needed(runs), size.max());
    }
    SlotSweep sweep = new SlotSweep(slots, runners, now, mayStart);
    Fleet fleet = sweep.sweep(seen, looks);
    int wanted = size.wanted(runs - Math.min(depth.inFlight(), fleet.finishing(now)));
    List<StartFailure> failures = new ArrayList<>(sweep.failures());
    if (sweep.answered()) {
      fill(fleet, wanted, now, mayStart).ifPresent(failures::add);
    }
    failures.forEach(log::failed);
    Optional<RunCommand.Block> blocked =
        failures.isEmpty() && seen.trouble().cause() == null
            ? Optional.empty()
            : blocked(noted(slots.read(), failures, now), wanted, now);
    if (blocked.isEmpty()) {
      sweep.requireSeen();
    }
    return blocked;
  }

  /// Asks which tasks the runners are that work in slots and of which nobody was told. Apart from
  /// starts, which must not wait for it.
  public void name(InstantSource clock) {
    Instant now = clock.instant();
    SlotSweep sweep = new SlotSweep(slots, runners, now, mayStart(clock, now));
    sweep.name(slots.read());
    sweep.failures().forEach(log::failed);
  }

  /// Whether a call that began at this time may ask for another start.
  private static BooleanSupplier mayStart(InstantSource clock, Instant begun) {
    Instant until = begun.plusSeconds(STARTING_SECONDS_MAX);
    return () -> clock.instant().isBefore(until);
  }

  /// Starts what is missing, up to the first that fails.
  private Optional<StartFailure> fill(
      Fleet from, int wanted, Instant now, BooleanSupplier mayStart) {
    Fleet fleet = from;
    int started = 0;
    for (int collisions = 0; collisions < COLLISIONS_MAX && mayStart.getAsBoolean(); ) {
      Optional<Slot.Free> free = fleet.next(size.max());
      if (free.isEmpty() || started == START_MAX || fleet.offering(now) >= wanted) {
        return Optional.empty();
      }
      Slot.Claimed claimed = free.get().claim(ids.token(), now);
      if (slots.write(claimed)) {
        Optional<StartFailure> failure = start(claimed);
        if (failure.isPresent()) {
          return failure;
        }
        started++;
        fleet = fleet.with(claimed);
      } else {
        collisions++;
        fleet = slots.read();
      }
    }
    return Optional.empty();
  }

  /// Starts the runner of a slot that this call has claimed. If it is not known whether it started,
  /// the slot stays claimed.
  private Optional<StartFailure> start(Slot.Claimed claimed) {
    try {
      switch (runners.start(claimed.number(), claimed.claim().token())) {
        case RunnerFleet.Start.Started started -> tellTask(claimed, started.task());
        case RunnerFleet.Start.Refused refused -> {
          slots.write(claimed.free());
          return Optional.of(refused.failure());
        }
      }
      return Optional.empty();
    } catch (PortUnavailable e) {
      return Optional.of(
          new StartFailure(StartFailure.Cause.NO_ANSWER, String.valueOf(e.getMessage())));
    }
  }

  /// Records the slot's task. The runner may already have taken the slot and renew it; a slot that
  /// is claimed has its task from somebody else, or is another runner's.
  private void tellTask(Slot.Claimed claimed, String task) {
    boolean told = slots.write(claimed.task(task));
    for (int i = 0; !told && i < COLLISIONS_MAX; i++) {
      told =
          switch (slots.read().slot(claimed.number())) {
            case Slot.Free _, Slot.Claimed _ -> true;
            case Slot.Held now ->
                !now.claim().token().equals(claimed.claim().token())
                    || now.claim().task().isPresent()
                    || slots.write(now.task(task));
          };
    }
  }

  /// The fleet with the record of failing starts updated. If two do so at once, one write is
  /// enough.
  private Fleet noted(Fleet fleet, List<StartFailure> failures, Instant now) {
    StartTrouble before = fleet.trouble();
    boolean came = came(fleet, before.since());
    if (failures.isEmpty() && (before.cause() == null || !came)) {
      return fleet;
    }
    StartTrouble after =
        failures.isEmpty() ? before.over() : before.failed(newest(failures), came, now);
    return slots.write(after) ? fleet.with(after) : slots.read();
  }

  /// The cause of the newest failure; of several at once, of one that may pass by itself.
  private static StartFailure.Cause newest(List<StartFailure> failures) {
    return failures.reversed().stream()
        .map(StartFailure::cause)
        .filter(cause -> !cause.broken())
        .findFirst()
        .orElse(failures.getLast().cause());
  }

  private static boolean came(Fleet fleet, Instant since) {
    return fleet.slots().stream()
        .anyMatch(slot -> slot instanceof Slot.Held held && held.claim().at().isAfter(since));
  }

  private static Optional<RunCommand.Block> blocked(Fleet fleet, int wanted, Instant now) {
    StartTrouble trouble = fleet.trouble();
    StartFailure.Cause cause = trouble.cause();
    if (cause == null || !trouble.stands(now) || fleet.working(now) >= wanted) {
      return Optional.empty();
    }
    return Optional.of(
        new RunCommand.Block(
            cause.wire(),
            cause.failure(),
            trouble.since(),
            fleet.working(now) == 0,
            trouble.repeatedlyBrokenSince(),
            now));
  }
}
