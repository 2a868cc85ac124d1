package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.problem.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Somebody who calls ports: a function, a client, or an attempt at a runner. Keeps what befell it.
final class SimulatedCaller {
  private final Role role;
  private final int secondsMax;
  private final Network network;
  private final List<Hit> hits = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private Instant endsAt = Instant.MAX;
  private boolean gone;

  /// One that calls no ports.
  SimulatedCaller() {
    this(Role.NONE, 0);
  }

  /// A function, or a client behind one.
  ///
  /// @param secondsMax the time a call of it has before it is killed; 0 for one that has no end
  SimulatedCaller(Role role, int secondsMax) {
    this(role, secondsMax, new Network());
  }

  /// A process at a runner's machine, which may be cut off.
  SimulatedCaller(Network network) {
    this(Role.RUNNER, 0, network);
  }

  private SimulatedCaller(Role role, int secondsMax, Network network) {
    this.role = role;
    this.secondsMax = secondsMax;
    this.network = network;
  }

  Role role() {
    return role;
  }

  boolean reaches(Port port, Instant now) {
    return network.reaches(port, now);
  }

  /// A client's call may show a run from its beginning.
  boolean showsAll() {
    return role == Role.API;
  }

  /// It was told what became of its chunk.
  void answered(Chunk chunk, AppendResult result) {
    if (result instanceof AppendResult.Appended && chunk.key() instanceof RunKey) {
      chunk.events(EventCodec.RUNS).stream()
          .flatMap(stored -> endedAsLost(stored.event()).stream())
          .forEach(lost::add);
    }
  }

  /// The attempt that an event says is lost.
  static Optional<String> endedAsLost(RunEvent event) {
    return switch (event) {
      case RunEvent.AttemptFailed failed when failed.error().code().equals(Failure.RUNNER_LOST) ->
          Optional.of(failed.attemptId());
      case RunEvent.TaskPaused paused when paused.reason().equals(Failure.RUNNER_LOST) ->
          Optional.of(paused.attemptId());
      case RunEvent.StateChange _, RunEvent.Output _, RunEvent.Interaction _, RunEvent.Notice _ ->
          Optional.empty();
    };
  }

  /// Attempts it knows to have ended as lost.
  List<String> lost() {
    return lost;
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

  /// What befell it.
  List<Hit> hits() {
    return hits;
  }

  boolean hit(Fault fault) {
    return hits.stream().anyMatch(hit -> hit.fault() == fault);
  }

  /// When it first met a fault.
  Optional<Instant> first(Fault fault) {
    return hits.stream().filter(hit -> hit.fault() == fault).map(Hit::from).findFirst();
  }

  /// True when it stood still in a span, so that it could not see to its agent.
  boolean stoodStill(Instant begin, Instant end) {
    return hits.stream()
        .filter(hit -> hit.fault() == Fault.STALL || hit.fault() == Fault.SLOW_CALL)
        .anyMatch(hit -> !hit.within(begin, end).isZero());
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
