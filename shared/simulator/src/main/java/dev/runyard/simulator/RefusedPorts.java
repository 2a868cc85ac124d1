package dev.runyard.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// What everybody is refused for a while, and whether anybody asked for it.
final class RefusedPorts {
  /// Of so many calls one is answered where not all are refused.
  private static final int ANSWERED_OF = 5;

  private final Random random;
  private final Map<Fault, Refusal> refusals = new EnumMap<>(Fault.class);
  private final List<Hit> everybody = new ArrayList<>();
  private final List<Set<Port>> from = new ArrayList<>();
  private final Set<Fault> met = EnumSet.noneOf(Fault.class);

  RefusedPorts(Random random) {
    this.random = random;
  }

  /// One of them.
  ///
  /// @param all whether all calls are refused, not only most
  /// @param hangs whether calls get no answer until they are given up
  record Refusal(Set<Port> ports, Instant until, boolean all, boolean hangs) {
    boolean holds(Port port, Instant now) {
      return now.isBefore(until) && ports.contains(port);
    }
  }

  void begin(Fault fault, Refusal refusal, Instant now) {
    refusals.put(fault, refusal);
    everybody.add(new Hit(fault, now, refusal.until()));
    from.add(refusal.ports());
  }

  /// Nothing is refused any more.
  void off(Instant now) {
    refusals.clear();
    everybody.replaceAll(
        hit -> hit.to().isAfter(now) ? new Hit(hit.fault(), hit.from(), now) : hit);
  }

  /// What befell everybody at once.
  List<Hit> everybody() {
    return everybody;
  }

  /// True if anything kept everybody from the port within a span.
  boolean kept(Port port, Instant begin, Instant end) {
    return IntStream.range(0, everybody.size())
        .anyMatch(i -> from.get(i).contains(port) && everybody.get(i).meets(begin, end));
  }

  /// What was refused at some call because of it.
  Set<Fault> met() {
    return met;
  }

  /// True if a call is refused now.
  boolean refuse(Port port, Instant now) {
    for (Map.Entry<Fault, Refusal> each : refusals.entrySet()) {
      Refusal refusal = each.getValue();
      if (refusal.holds(port, now) && (refusal.all() || random.nextInt(ANSWERED_OF) > 0)) {
        met.add(each.getKey());
        return true;
      }
    }
    return false;
  }

  /// True while nobody reaches the port.
  boolean away(Port port, Instant now) {
    return any(port, now, Refusal::all);
  }

  /// True while calls get no answer.
  boolean hangs(Port port, Instant now) {
    return any(port, now, Refusal::hangs);
  }

  private boolean any(Port port, Instant now, Predicate<Refusal> how) {
    return refusals.values().stream()
        .anyMatch(refusal -> how.test(refusal) && refusal.holds(port, now));
  }
}
