package dev.runyard.testkit.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Somebody who calls ports: a function, a client, or an attempt at a runner. Keeps what befell it.
final class SimulatedCaller {
  private final int secondsMax;
  private final List<Hit> hits = new ArrayList<>();
  private Instant endsAt = Instant.MAX;
  private boolean gone;

  /// @param secondsMax the time a call of it has before it is killed; 0 for one that has no end
  SimulatedCaller(int secondsMax) {
    this.secondsMax = secondsMax;
  }

  void begins(Instant now) {
    endsAt = secondsMax == 0 ? Instant.MAX : now.plusSeconds(secondsMax);
  }

  /// Its time is over.
  boolean over(Instant now) {
    return now.isAfter(endsAt);
  }

  /// Its machine is gone: it does nothing more.
  void vanish() {
    gone = true;
  }

  boolean gone() {
    return gone;
  }

  void hit(Fault fault, Instant from, Instant to) {
    hits.add(new Hit(fault, from, to));
  }

  boolean hit(Fault fault) {
    return hits.stream().anyMatch(hit -> hit.fault() == fault);
  }

  /// When it first met a fault.
  Optional<Instant> first(Fault fault) {
    return hits.stream().filter(hit -> hit.fault() == fault).map(Hit::from).findFirst();
  }

  /// How long it was silenced in a span.
  Duration silenced(Instant begin, Instant end) {
    return hits.stream()
        .filter(hit -> hit.fault().silences())
        .map(hit -> hit.within(begin, end))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /// What befell it.
  @Override
  public String toString() {
    return hits.toString();
  }
}
