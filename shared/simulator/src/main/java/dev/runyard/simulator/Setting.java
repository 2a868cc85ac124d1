package dev.runyard.simulator;

import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.Quotas;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/// What is special about a history, apart from its faults.
///
/// @param lasting whether it lasts for days
/// @param fleet how many runners there may be; [#STANDING] if they are always there
/// @param large whether requests, output and answers may have their largest size
/// @param refused whether a role lacks a right
/// @param alone whether nothing goes wrong but with starts of runners
/// @param loud whether one run emits more than may lie between two snapshots
/// @param chatty whether a client is never silent
/// @param integrated whether there are other systems, which are told of runs and start some
/// @param jobs whether a client has a job
/// @param tasks whether clients have tasks
/// @param degraded whether writes may be refused, or one store or the queues be away, for everybody
/// @param placesMax how many runs the tenant may have running; [Integer#MAX_VALUE] if any number
/// @param openMax how many of its runs may not have ended; the same
record Setting(
    boolean lasting,
    FleetSize fleet,
    boolean large,
    boolean refused,
    boolean alone,
    boolean loud,
    boolean chatty,
    boolean integrated,
    boolean jobs,
    boolean tasks,
    boolean degraded,
    int placesMax,
    int openMax) {
  /// Runners that are there from the beginning and are never started or stopped.
  static final FleetSize STANDING = new FleetSize(0, 0, 1);

  static final Setting PLAIN = quiet(STANDING, false, false, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /// The same beside other systems.
  static final Setting INTEGRATED =
      quiet(STANDING, true, false, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /// One in which a right is missing.
  static final Setting REFUSING =
      new Setting(
          false,
          STANDING,
          false,
          true,
          false,
          false,
          false,
          false,
          false,
          false,
          false,
          Integer.MAX_VALUE,
          Integer.MAX_VALUE);

  /// One with runners that are started.
  static Setting of(FleetSize fleet) {
    return quiet(fleet, false, false, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /// One with limits of the tenant.
  static Setting limited(boolean tasks, int placesMax, int openMax) {
    return quiet(STANDING, false, tasks, placesMax, openMax);
  }

  private static Setting quiet(
      FleetSize fleet, boolean integrated, boolean tasks, int placesMax, int openMax) {
    return new Setting(
        false,
        fleet,
        false,
        false,
        false,
        false,
        false,
        integrated,
        false,
        tasks,
        false,
        placesMax,
        openMax);
  }

  /// One history in this many is lasting.
  private static final int LASTING_OF = 40;

  private static final int REFUSED_OF = 80;
  private static final int LARGE_OF = 200;
  private static final int FLEET_OF = 6;
  private static final int LOUD_OF = 100;
  private static final int CHATTY_OF = 8;
  private static final int HELD_OF = 8;
  private static final int INTEGRATED_OF = 12;
  private static final int JOBS_OF = 8;
  private static final long JOBS_SALT = 0x6a6f6273L;
  private static final int TASKS_OF = 8;

  /// With this one, histories that are known to show a defect stay what they were.
  private static final long TASKS_SALT = 1536L;

  private static final int DEGRADED_OF = 4;
  private static final long DEGRADED_SALT = 0x6465677264L;

  private static final List<FleetSize> FLEETS =
      List.of(
          new FleetSize(0, 1, 1),
          new FleetSize(0, 1, 2),
          new FleetSize(0, 2, 2),
          new FleetSize(0, 4, 1),
          new FleetSize(1, 2, 2));

  /// Starting this many takes longer than a function has, if starts are slow.
  private static final FleetSize MANY = new FleetSize(12, 12, 1);

  private static final Set<Fault> OF_FLEETS =
      EnumSet.of(Fault.START_FAILS, Fault.START_SLOW, Fault.TASK_UNSEEN);

  private static final Set<Fault> DEGRADING =
      EnumSet.of(Fault.LOG_OUTAGE, Fault.QUEUE_OUTAGE, Fault.BUCKET_OUTAGE, Fault.WRITE_THROTTLE);

  private static final Set<Fault> BESIDE_STARTS =
      EnumSet.of(Fault.START_FAILS, Fault.START_SLOW, Fault.TASK_UNSEEN, Fault.TWICE);

  private static final Set<Fault> BESIDE_REFUSAL =
      EnumSet.of(Fault.CRASH, Fault.REFUSAL, Fault.LATE_STREAM, Fault.TWICE);

  /// The setting of the history of a seed.
  static Setting of(long seed) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    boolean lasting = random.nextInt(LASTING_OF) == 0;
    boolean refused = !lasting && random.nextInt(REFUSED_OF) == 0;
    boolean large = !lasting && !refused && random.nextInt(LARGE_OF) == 0;
    boolean started = refused ? random.nextBoolean() : random.nextInt(FLEET_OF) == 0;
    boolean chatty = !refused && random.nextInt(CHATTY_OF) == 0;
    int placesMax = refused || large ? Integer.MAX_VALUE : placesMax(seed);
    if (!started) {
      boolean loud = !lasting && !refused && random.nextInt(LOUD_OF) == 0;
      boolean alone = loud && random.nextBoolean();
      boolean small = !lasting && !refused && !large && !loud;
      boolean integrated = small && integrated(seed, placesMax);
      boolean jobs = small && hasJobs(seed);
      boolean tasks = small && hasTasks(seed);
      return new Setting(
          lasting,
          STANDING,
          large,
          refused,
          alone,
          loud,
          chatty,
          integrated,
          jobs,
          tasks,
          degraded(seed),
          placesMax,
          Integer.MAX_VALUE);
    }
    boolean many = !lasting && !refused && random.nextInt(10) == 0;
    FleetSize fleet = many ? MANY : FLEETS.get(random.nextInt(FLEETS.size()));
    boolean alone = !refused && random.nextBoolean();
    boolean small = !lasting && !refused && !large;
    boolean integrated = small && integrated(seed, placesMax);
    boolean jobs = small && !many && hasJobs(seed);
    boolean tasks = small && !many && hasTasks(seed);
    return new Setting(
        lasting,
        fleet,
        large,
        refused,
        alone,
        false,
        chatty,
        integrated,
        jobs,
        tasks,
        degraded(seed),
        placesMax,
        Integer.MAX_VALUE);
  }

  /// Drawn apart from the rest, so that histories without the limit are what they were.
  private static int placesMax(long seed) {
    Random random = new Random(~new SplittableRandom(seed).nextLong());
    return random.nextInt(HELD_OF) == 0 ? 1 + random.nextInt(3) : Integer.MAX_VALUE;
  }

  private static boolean integrated(long seed, int placesMax) {
    Random random = new Random(new SplittableRandom(~seed).nextLong());
    return placesMax == Integer.MAX_VALUE && random.nextInt(INTEGRATED_OF) == 0;
  }

  /// Drawn apart from the rest too.
  private static boolean hasJobs(long seed) {
    return new Random(JOBS_SALT ^ new SplittableRandom(seed).nextLong()).nextInt(JOBS_OF) == 0;
  }

  private static boolean hasTasks(long seed) {
    return new Random(TASKS_SALT ^ new SplittableRandom(seed).nextLong()).nextInt(TASKS_OF) == 0;
  }

  private static boolean degraded(long seed) {
    return new Random(DEGRADED_SALT ^ new SplittableRandom(seed).nextLong()).nextInt(DEGRADED_OF)
        == 0;
  }

  /// The same with what a right is needed for.
  Setting needing(Right right) {
    return switch (right.need()) {
      case NOTHING, POISON, DEAD_LETTER -> this;
      case FLEET -> with(started() ? fleet : FLEETS.getLast(), false, false, false, placesMax);
      case PLACES -> with(fleet, false, false, false, 1);
      case OTHERS -> with(fleet, true, false, false, Integer.MAX_VALUE);
      case JOBS -> with(fleet, false, true, false, placesMax);
      case TASKS -> with(fleet, false, false, true, placesMax);
    };
  }

  private Setting with(
      FleetSize runners, boolean others, boolean withJobs, boolean withTasks, int places) {
    return new Setting(
        lasting, runners, large, refused, alone, loud, chatty, others, withJobs, withTasks,
        degraded, places, openMax);
  }

  /// True if runs may wait for a place of their tenant.
  boolean held() {
    return placesMax != Integer.MAX_VALUE;
  }

  /// What tenants may use.
  Quotas quotas() {
    if (integrated) {
      return Quotas.parse(
          "{\"tenants\":{\"%s\":{\"open_runs_max\":%d}}}"
              .formatted(HookTraffic.TENANT, HookTraffic.OPEN_RUNS_MAX));
    }
    Map<QuotaLimit, Long> limits = new EnumMap<>(QuotaLimit.class);
    if (held()) {
      limits.put(QuotaLimit.RUNNING_RUNS, (long) placesMax);
    }
    if (openMax != Integer.MAX_VALUE) {
      limits.put(QuotaLimit.OPEN_RUNS, (long) openMax);
    }
    return limits.isEmpty() ? Quotas.NONE : Quotas.all(new Quota(limits));
  }

  /// True if runners are started and exit.
  boolean started() {
    return !fleet.equals(STANDING);
  }

  /// How many runs may have a place at a runner at once.
  int places() {
    return started() ? fleet.max() * fleet.runsPerRunner() : History.RUNNERS * RunnerActor.RUNS_MAX;
  }

  /// The faults that such a history may have. If a right is missing there are few others, so that
  /// its consequences can be told apart.
  Set<Fault> possible(Set<Fault> of) {
    EnumSet<Fault> possible = EnumSet.noneOf(Fault.class);
    possible.addAll(of);
    if (!started()) {
      possible.removeAll(OF_FLEETS);
    }
    if (!degraded) {
      possible.removeAll(DEGRADING);
    }
    if (!lasting) {
      possible.remove(Fault.LATE_EXPIRY);
    }
    possible.remove(Fault.RIGHT_MISSING);
    if (refused) {
      possible.retainAll(BESIDE_REFUSAL);
    }
    if (alone) {
      possible.retainAll(BESIDE_STARTS);
    }
    return possible;
  }
}
