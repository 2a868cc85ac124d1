package dev.runyard.testkit.simulator;

import dev.runyard.core.problem.PortUnavailable;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/// Decides at each port call what goes wrong: nothing, a crash before or after it, a call that is
/// refused, or one that is carried out while its answer is lost. Before the call it may let other
/// actors run.
final class Faults {
  /// What happened at port calls, counted.
  enum Kind {
    CALL,
    CRASH_BEFORE,
    CRASH_AFTER,
    REFUSED,
    REPLY_LOST,
    INTERLEAVED
  }

  private static final double CRASH_MAX = 0.012;
  private static final double UNAVAILABLE_MAX = 0.02;
  private static final double INTERLEAVE_MAX = 0.4;

  private final Random random;
  private final Runnable others;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final double crash;
  private final double unavailable;
  private final double interleave;
  private boolean on = true;
  private boolean outage;

  Faults(Random random, Runnable others) {
    this.random = random;
    this.others = others;
    this.crash = CRASH_MAX * squared(random.nextDouble());
    this.unavailable = UNAVAILABLE_MAX * squared(random.nextDouble());
    this.interleave = INTERLEAVE_MAX * random.nextDouble();
  }

  /// Most histories are gentle, so that long ones are seen too; some are harsh.
  private static double squared(double value) {
    return value * value;
  }

  void off() {
    on = false;
    outage = false;
  }

  /// While an outage lasts most calls are refused.
  void outage(boolean lasting) {
    outage = on && lasting;
  }

  Map<Kind, Long> counts() {
    return counts;
  }

  void call(Runnable call) {
    call(
        () -> {
          call.run();
          return true;
        });
  }

  <T> T call(Supplier<T> call) {
    count(Kind.CALL);
    if (random.nextDouble() < interleave) {
      count(Kind.INTERLEAVED);
      others.run();
    }
    if (!on) {
      return call.get();
    }
    if (outage && random.nextDouble() < 0.8) {
      count(Kind.REFUSED);
      throw new PortUnavailable("simulated outage");
    }
    double dice = random.nextDouble();
    if (dice < crash) {
      count(Kind.CRASH_BEFORE);
      throw new Crash();
    }
    if (dice < crash + unavailable) {
      count(Kind.REFUSED);
      throw new PortUnavailable("simulated throttle");
    }
    T result = call.get();
    double after = random.nextDouble();
    if (after < crash) {
      count(Kind.CRASH_AFTER);
      throw new Crash();
    }
    if (after < crash + unavailable) {
      count(Kind.REPLY_LOST);
      throw new PortUnavailable("simulated lost reply");
    }
    return result;
  }

  private void count(Kind kind) {
    counts.merge(kind, 1L, Long::sum);
  }
}
