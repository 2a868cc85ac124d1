package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Decides at each port call what goes wrong: nothing, a crash before or after it, a call that is
/// refused, one that is carried out while its answer is lost, or one that takes long. It keeps what
/// befell whom.
final class Faults {
  private static final double CRASH_MAX = 0.004;
  private static final double UNAVAILABLE_MAX = 0.02;
  private static final double SLOW_MAX = 0.002;
  private static final double INTERLEAVE_MAX = 0.6;
  private static final int CALL_MILLIS_MAX = 20;
  private static final int HISTORIES = 12;
  private static final int CRASHING_OF = 2;

  /// Faults that do not delay the notice that a runner died.
  private static final Set<Fault> GENTLE =
      EnumSet.of(
          Fault.CRASH,
          Fault.REFUSAL,
          Fault.SLOW_START,
          Fault.LATE_STREAM,
          Fault.LATE_EXPIRY,
          Fault.DRAIN,
          Fault.ORPHAN,
          Fault.TWICE,
          Fault.POISON);

  /// Faults that delay only the run or the call they hit.
  private static final Set<Fault> CALM = EnumSet.of(Fault.TWICE, Fault.POISON);

  private static final int POISONED_OF = 5;

  static final Set<Port> LOG = Set.of(Port.LOG_READ, Port.LOG_WRITE);

  private static final Set<Port> WRITES = Set.of(Port.LOG_WRITE, Port.TABLE_WRITE);

  /// How long a store or the queues are away that nobody reaches.
  static final Duration AWAY = Duration.ofMinutes(10);

  private final Random random;
  private final Timeline timeline;
  private final Set<Fault> kinds;
  private final Optional<MissingRight> missing;
  private final RefusedPorts refusals;
  private final Sends sends;
  private final double crash;
  private final double unavailable;
  private final double slow;
  private final double interleave;
  private final long point;
  private final Strike strike;
  private boolean on = true;
  private long calls;
  private long callsWhileOn;
  private @Nullable Instant refusedSince;

  /// What happens at one call.
  enum Strike {
    /// The caller dies before the call.
    BEFORE,
    /// The caller dies after the call.
    AFTER,
    /// The call is carried out, and its answer is lost.
    ANSWER_LOST,
    NOTHING
  }

  /// Faults by chance.
  ///
  /// @param possible the kinds a history may have
  /// @param missing the right that some roles lack
  Faults(Random random, Timeline timeline, Set<Fault> possible, Optional<MissingRight> missing) {
    this.random = random;
    this.timeline = timeline;
    this.refusals = new RefusedPorts(random);
    this.sends = new Sends(timeline);
    this.kinds = chosen(random, possible);
    this.missing = missing;
    missing.ifPresent(_ -> kinds.add(Fault.RIGHT_MISSING));
    missing
        .filter(lacks -> lacks.right().need() == Right.Need.POISON)
        .ifPresent(_ -> kinds.add(Fault.POISON));
    this.crash = kinds.contains(Fault.CRASH) ? CRASH_MAX * squared(random.nextDouble()) : 0;
    this.unavailable =
        kinds.contains(Fault.REFUSAL) ? UNAVAILABLE_MAX * squared(random.nextDouble()) : 0;
    this.slow = kinds.contains(Fault.SLOW_CALL) ? SLOW_MAX * random.nextDouble() : 0;
    this.interleave = INTERLEAVE_MAX * random.nextDouble();
    this.point = 0;
    this.strike = Strike.NOTHING;
  }

  /// One fault, at the call of that number, counted from 1.
  Faults(Random random, Timeline timeline, long point, Strike strike) {
    this(random, timeline, EnumSet.of(Fault.CRASH, Fault.REFUSAL), point, strike);
  }

  /// None but one of those that befall everybody, once it is told to begin.
  Faults(Random random, Timeline timeline, Fault only) {
    this(random, timeline, EnumSet.of(only), 0, Strike.NOTHING);
  }

  private Faults(Random random, Timeline timeline, Set<Fault> kinds, long point, Strike strike) {
    this.random = random;
    this.timeline = timeline;
    this.refusals = new RefusedPorts(random);
    this.sends = new Sends(timeline);
    this.kinds = kinds;
    this.missing = Optional.empty();
    this.crash = 0;
    this.unavailable = 0;
    this.slow = 0;
    this.interleave = INTERLEAVE_MAX;
    this.point = point;
    this.strike = strike;
  }

  /// One history in [#HISTORIES] has no faults but those that hold nobody up, [#CRASHING_OF] have
  /// runners that die and little else; the others have each kind or not.
  private static Set<Fault> chosen(Random random, Set<Fault> possible) {
    EnumSet<Fault> chosen = EnumSet.noneOf(Fault.class);
    int history = random.nextInt(HISTORIES);
    if (history > 0) {
      double share = 0.3 + 0.7 * random.nextDouble();
      possible.stream().sorted().filter(_ -> random.nextDouble() < share).forEach(chosen::add);
    }
    if (history > 0 && history <= CRASHING_OF) {
      chosen.add(Fault.CRASH);
      chosen.retainAll(GENTLE);
    } else if (history == 0) {
      CALM.stream().sorted().filter(_ -> random.nextInt(3) == 0).forEach(chosen::add);
    }
    chosen.retainAll(possible);
    return chosen;
  }

  /// Most histories are gentle, so that long ones are seen too; some are harsh.
  private static double squared(double value) {
    return value * value;
  }

  boolean has(Fault fault) {
    return on && kinds.contains(fault);
  }

  /// The kinds this history was given, whether or not they happened.
  Set<Fault> kinds() {
    return kinds;
  }

  /// True when a runner that dies is missed as soon as its message comes back.
  boolean gentle() {
    return GENTLE.containsAll(kinds);
  }

  /// True if no fault delays more than one run.
  boolean calm() {
    return CALM.containsAll(kinds);
  }

  /// True if there is one fault in all, and then none.
  boolean single() {
    return point > 0;
  }

  /// True if slow starts are the only fault that takes a function's time.
  boolean slowAlone() {
    return EnumSet.of(Fault.START_SLOW, Fault.TASK_UNSEEN, Fault.TWICE).containsAll(kinds);
  }

  /// True if the code of that function fails on the run.
  boolean poisons(Role role, RunKey run) {
    return on && poisoned(role, run);
  }

  /// True if the code of some function fails, or failed, on the run.
  boolean poisoned(RunKey run) {
    return poisoned(Role.ADVANCE, run) || poisoned(Role.PROJECT, run);
  }

  private boolean poisoned(Role role, RunKey run) {
    int others = role == Role.ADVANCE ? 1 : 2;
    return kinds.contains(Fault.POISON)
        && Math.floorMod(run.runId().hashCode() + others, POISONED_OF) == 0;
  }

  /// The right that some roles lack for good.
  Optional<MissingRight> missing() {
    return missing;
  }

  /// When the first call was refused because its role lacks a right.
  Optional<Instant> refusedSince() {
    return Optional.ofNullable(refusedSince);
  }

  /// Whether a call is refused because its role lacks the right.
  boolean refuses(SimulatedCaller caller, Supplier<Right> right) {
    boolean hit =
        missing.isPresent() && missing.get().hits(caller.role(), right.get(), timeline.now());
    if (hit) {
      refusedSince = refusedSince == null ? timeline.now() : refusedSince;
      caller.hit(Fault.RIGHT_MISSING, timeline.now(), timeline.now());
    }
    return hit;
  }

  /// True with a probability, while the history has the fault.
  boolean strikes(Fault fault, double probability) {
    return has(fault) && random.nextDouble() < probability;
  }

  void off() {
    on = false;
    callsWhileOn = calls;
    refusals.off(timeline.now());
  }

  /// Port calls before the faults went off.
  long callsWhileOn() {
    return callsWhileOn;
  }

  long calls() {
    return calls;
  }

  /// What it did to messages.
  Sends sends() {
    return sends;
  }

  /// What befell everybody at once.
  List<Hit> everybody() {
    return refusals.everybody();
  }

  /// True if anything kept everybody from the port within a span.
  boolean kept(Port port, Instant begin, Instant end) {
    return refusals.kept(port, begin, end);
  }

  /// What nobody reached at some call.
  Set<Fault> met() {
    return refusals.met();
  }

  /// All or most calls are refused for that long, to every port, to the log or to the bucket alone.
  void outage(Duration duration) {
    Set<Port> ports =
        switch (random.nextInt(5)) {
          case 0, 1 -> EnumSet.allOf(Port.class);
          case 2, 3 -> LOG;
          default -> EnumSet.of(Port.BUCKET);
        };
    outage(duration, ports, random.nextBoolean());
  }

  /// @param all whether all calls are refused, not only most
  void outage(Duration duration, Set<Port> ports, boolean all) {
    refuse(Fault.OUTAGE, ports, duration, all, false);
  }

  /// Nobody reaches one of [Outages#STORES] for [#AWAY]: calls are refused, or never answered.
  void goesAway(Fault fault) {
    goesAway(fault, random.nextBoolean());
  }

  /// @param hangs whether calls get no answer until they are given up
  void goesAway(Fault fault, boolean hangs) {
    refuse(fault, Objects.requireNonNull(Outages.STORES.get(fault)), AWAY, true, hangs);
  }

  /// Most reads of the log are refused for that long.
  void throttleReads(Duration duration) {
    refuse(Fault.READ_THROTTLE, Set.of(Port.LOG_READ), duration, false, false);
  }

  /// All or most writes are refused for that long.
  void throttleWrites(Duration duration) {
    refuse(Fault.WRITE_THROTTLE, WRITES, duration, random.nextBoolean(), false);
  }

  private void refuse(Fault fault, Set<Port> ports, Duration duration, boolean all, boolean hangs) {
    Instant now = timeline.now();
    RefusedPorts.Refusal refusal = new RefusedPorts.Refusal(ports, now.plus(duration), all, hangs);
    refusals.begin(fault, refusal, now);
  }

  void call(SimulatedCaller caller, Port port, Runnable call) {
    call(
        caller,
        port,
        () -> {
          call.run();
          return true;
        });
  }

  <T> T call(SimulatedCaller caller, Port port, Supplier<T> call) {
    calls++;
    if (caller.gone()) {
      throw new Crash();
    }
    long number = calls;
    boolean answered = wait(caller, port);
    if (!on) {
      return call.get();
    }
    if (number == point) {
      return struck(caller, call);
    }
    if (refusals.refuse(port, timeline.now()) || !caller.reaches(port, timeline.now())) {
      throw new PortUnavailable("simulated outage");
    }
    double dice = random.nextDouble();
    if (dice < crash) {
      throw died(caller);
    }
    if (dice < crash + unavailable || (!answered && random.nextBoolean())) {
      caller.hit(Fault.REFUSAL, timeline.now(), timeline.now());
      throw new PortUnavailable("simulated throttle");
    }
    T result = call.get();
    double after = random.nextDouble();
    if (after < crash) {
      throw died(caller);
    }
    if (after < crash + unavailable || !answered) {
      caller.hit(Fault.REFUSAL, timeline.now(), timeline.now());
      throw new PortUnavailable("simulated lost reply");
    }
    return result;
  }

  /// True while nobody reaches the port.
  boolean away(Port port) {
    return on && refusals.away(port, timeline.now());
  }

  private <T> T struck(SimulatedCaller caller, Supplier<T> call) {
    return switch (strike) {
      case BEFORE -> throw died(caller);
      case AFTER -> {
        var _ = call.get();
        throw died(caller);
      }
      case ANSWER_LOST -> {
        var _ = call.get();
        caller.hit(Fault.REFUSAL, timeline.now(), timeline.now());
        throw new PortUnavailable("simulated lost reply");
      }
      case NOTHING -> call.get();
    };
  }

  private Crash died(SimulatedCaller caller) {
    caller.hit(Fault.CRASH, timeline.now(), timeline.now());
    return new Crash();
  }

  /// The call is under way; false when its caller gave it up.
  private boolean wait(SimulatedCaller caller, Port port) {
    Instant began = timeline.now();
    boolean slowed = on && random.nextDouble() < slow;
    if (slowed) {
      int seconds = 1 + random.nextInt(random.nextInt(3) == 0 ? 100 : 20);
      timeline.elapse(Duration.ofSeconds(Math.min(seconds, port.secondsMax())));
    } else if (on && refusals.hangs(port, timeline.now())) {
      timeline.elapse(Duration.ofSeconds(port.secondsMax()));
    } else if (random.nextDouble() < interleave) {
      timeline.elapse(Duration.ofMillis(random.nextInt(CALL_MILLIS_MAX)));
    }
    Duration took = Duration.between(began, timeline.now());
    if (took.toSeconds() > 0) {
      caller.hit(Fault.SLOW_CALL, began, timeline.now());
    }
    if (caller.gone() || (on && caller.over(timeline.now()))) {
      caller.hit(Fault.CRASH, timeline.now(), timeline.now());
      throw new Crash();
    }
    return took.toSeconds() < port.secondsMax();
  }
}
