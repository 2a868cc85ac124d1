package dev.runyard.simulator;

import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.SlotHold;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// The task of a runner that was started for a slot: it comes up after a while or never, takes its
/// slot, renews it while its runner works, and releases it when the runner is idle, too old, or
/// told to stop.
final class StartedTask implements Actor {
  private static final Duration IDLE = Duration.ofSeconds(90);
  private static final Duration AGE_MAX = Duration.ofMinutes(25);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int TAKE_TRIES_MAX = Slot.START_SECONDS_MAX;
  private static final double DIES_FIRST = 0.1;

  /// How long the service shows a task that stopped.
  private static final Duration SHOWN = Duration.ofHours(1);

  private final SimulatedFleet fleet;
  private final SimulatedSystem system;
  private final Random random;
  private final String id;
  private final int slot;
  private final SimulatedCaller caller;
  private final RunnerActor runner;
  private final SlotHold hold;
  private final Fortune fortune;
  private final Instant startedAt;
  private Phase phase = Phase.COMING;
  private Instant next;
  private int tries;
  private Instant stayedAt = Instant.MIN;
  private @Nullable Instant tookAt;
  private @Nullable Instant goneAt;
  private Instant stopShownAt = Instant.MAX;
  private @Nullable StartFailure why;

  private enum Phase {
    COMING,
    TAKING,
    WORKING,
    LEAVING,
    GONE
  }

  /// What becomes of a start.
  ///
  /// @param comesAt when the process runs, or fails
  /// @param shownAt from when the service knows of it
  /// @param failure why it never comes up
  record Fortune(Instant comesAt, Instant shownAt, @Nullable StartFailure failure) {}

  StartedTask(SimulatedFleet fleet, String id, int slot, String claim, Fortune fortune) {
    this.fleet = fleet;
    this.system = fleet.system();
    this.random = fleet.random();
    this.id = id;
    this.slot = slot;
    this.fortune = fortune;
    this.startedAt = system.now();
    this.next = fortune.comesAt();
    this.runner = fleet.runner(id, this);
    this.caller = new SimulatedCaller(runner.network());
    this.hold =
        new SlotHold(system.ports(caller).slots(), slot, claim, runner.name(), runner.clock());
  }

  String id() {
    return id;
  }

  int slot() {
    return slot;
  }

  RunnerActor runner() {
    return runner;
  }

  /// What the service reports of it.
  RunnerFleet.Fate fate() {
    Instant now = system.now();
    StartFailure stopped = why;
    if (now.isBefore(fortune.shownAt()) || now.isAfter(stopped(SHOWN))) {
      return new RunnerFleet.Fate.Missing();
    }
    return stopped == null || now.isBefore(stopShownAt)
        ? new RunnerFleet.Fate.Alive()
        : new RunnerFleet.Fate.Stopped(stopped);
  }

  private Instant stopped(Duration later) {
    return stopShownAt.equals(Instant.MAX) ? Instant.MAX : stopShownAt.plus(later);
  }

  /// True while its runner works or may take runs.
  boolean works() {
    boolean there = phase == Phase.WORKING || phase == Phase.LEAVING;
    boolean awake = !runner.awakeAt().isAfter(system.now());
    return there && awake && (runner.busy() || mayTake());
  }

  /// True if it comes up, or may take runs.
  boolean offers() {
    return switch (phase) {
      case COMING, TAKING -> fortune.failure() == null;
      case WORKING -> mayTake();
      case LEAVING, GONE -> false;
    };
  }

  /// True if it had its slot at some time in a span.
  boolean worked(Instant from, Instant to) {
    Instant took = tookAt;
    Instant gone = goneAt;
    return took != null && took.isBefore(to) && (gone == null || gone.isAfter(from));
  }

  @Override
  public String toString() {
    return "%s of slot %d, started %s, took %s, gone %s: %s"
        .formatted(id, slot, startedAt, tookAt, goneAt, why);
  }

  /// When it took its slot; null if it has not.
  @Nullable Instant tookAt() {
    return tookAt;
  }

  boolean mayTake() {
    return phase == Phase.WORKING && hold.mayTake();
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    Instant due =
        switch (phase) {
          case COMING, TAKING -> next;
          case WORKING -> leavesAt().isBefore(next) ? leavesAt() : next;
          case LEAVING -> runner.busy() ? next : system.now();
          case GONE -> Instant.MAX;
        };
    return due.isBefore(runner.awakeAt()) ? runner.awakeAt() : due;
  }

  private Instant leavesAt() {
    Instant idle = idleAt();
    Instant last = lastAt();
    return idle.isBefore(last) ? idle : last;
  }

  /// When it leaves whether it has work or not.
  private Instant lastAt() {
    return runner.draining() || hold.lost() ? system.now() : startedAt.plus(AGE_MAX);
  }

  /// When it has been idle for long enough to look whether it stays; never where that is known.
  private Instant idleAt() {
    Instant quiet = runner.quietSince();
    boolean stays = slot < system.setting().fleet().min();
    return runner.busy() || stays
        ? Instant.MAX
        : (quiet.isBefore(stayedAt) ? stayedAt : quiet).plus(IDLE);
  }

  private boolean stays() {
    if (!lastAt().isAfter(system.now())) {
      return false;
    }
    stayedAt = system.now();
    try {
      return hold.stays(system.setting().fleet().min());
    } catch (PortUnavailable _) {
      return true;
    }
  }

  @Override
  public void act() {
    switch (phase) {
      case COMING -> come();
      case TAKING -> take();
      case WORKING -> {
        if (!leavesAt().isAfter(system.now()) && !stays()) {
          phase = Phase.LEAVING;
        }
        renew();
      }
      case LEAVING -> leave();
      case GONE -> {}
    }
  }

  private void come() {
    StartFailure failure = fortune.failure();
    if (failure != null) {
      stop(failure);
    } else if (system.faults().strikes(Fault.CRASH, DIES_FIRST)) {
      stop(ended("it died before it was ready"));
    } else {
      phase = Phase.TAKING;
      take();
    }
  }

  private void take() {
    try {
      if (hold.take()) {
        phase = Phase.WORKING;
        tookAt = system.now();
        next = system.now().plusSeconds(Slot.RENEW_SECONDS);
        fleet.comes(this);
      } else {
        stop(ended("it has no slot"));
      }
    } catch (PortUnavailable _) {
      next = system.now().plus(AGAIN);
      if (++tries == TAKE_TRIES_MAX) {
        stop(ended("it did not get its slot"));
      }
    }
  }

  private void renew() {
    next = system.now().plusSeconds(Slot.RENEW_SECONDS);
    hold.renew(phase == Phase.WORKING, runner.share().unqueued(), runner.share().queued());
  }

  private void leave() {
    if (runner.busy()) {
      renew();
      return;
    }
    try {
      hold.release();
    } catch (PortUnavailable _) {
      next = system.now();
    }
    stop(ended("it left"));
  }

  private static StartFailure ended(String how) {
    return new StartFailure(StartFailure.Cause.STOPPED, how);
  }

  /// Its machine is gone.
  void died() {
    if (phase != Phase.GONE) {
      stop(ended("it died"));
    }
  }

  private void stop(StartFailure how) {
    phase = Phase.GONE;
    why = how;
    goneAt = system.now();
    stopShownAt = system.now().plusSeconds(random.nextInt(30));
    caller.vanish();
    fleet.gone(this);
  }

  @Override
  public void crashed() {
    runner.crashed();
  }
}
