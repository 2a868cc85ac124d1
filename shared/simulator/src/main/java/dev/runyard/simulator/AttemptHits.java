package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Which attempts there were, and what befell each of them while it lasted: nothing else excuses
/// what became of it.
final class AttemptHits {
  /// How long what was refused to an attempt, or to whoever asks the bucket for it, waits for the
  /// next try.
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private static final Duration BUCKET_AGAIN = Duration.ofSeconds(10);

  /// The least time without the log after which an attempt gives up: a lease since it last wrote.
  private static final Duration CUT_OFF_MIN =
      Duration.ofSeconds(Limits.LEASE_SECONDS - Limits.HEARTBEAT_SECONDS);

  /// Until an agent is gone that has to end.
  private static final Duration LEAVES_MAX = Duration.ofSeconds(3);

  /// How long after the end of an attempt of which nobody heard its run may end for that: until
  /// `sweep` has noticed its silence, and what follows was decided by another clock.
  private static final Duration NOTICED_MAX =
      Duration.ofSeconds(
          Limits.SILENT_SECONDS + 2 * SweepActor.PERIOD_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX);

  private final Faults faults;
  private final Map<String, Attempt> attempts = new HashMap<>();

  AttemptHits(Faults faults) {
    this.faults = faults;
  }

  /// An attempt in the time of the world.
  ///
  /// @param background who asks the bucket for it
  /// @param unheard whether it had been cut off from the log, or stood still, when it was over
  private record Attempt(
      Ticket ticket,
      SimulatedCaller caller,
      SimulatedCaller background,
      Instant from,
      Instant to,
      boolean unheard) {
    Attempt over(Instant at, boolean unheard) {
      return new Attempt(ticket, caller, background, from, at, unheard);
    }

    RunKey run() {
      return ticket.run();
    }

    boolean met() {
      return Stream.concat(caller.hits().stream(), background.hits().stream())
          .anyMatch(hit -> hit.meets(from, to));
    }

    /// True if it was at the same runner at the same time.
    boolean beside(Attempt other) {
      return background == other.background && !from.isAfter(other.to) && !to.isBefore(other.from);
    }

    boolean died() {
      return caller.hit(Fault.CRASH);
    }
  }

  /// A message was received, whether or not its run is claimed then.
  ///
  /// @param background who asks the bucket for it
  void began(AttemptActor of, SimulatedCaller background, Instant at) {
    attempts.put(
        of.attemptId(), new Attempt(of.ticket(), of.caller(), background, at, Instant.MAX, false));
  }

  void over(String attemptId, Instant at) {
    attempts.computeIfPresent(attemptId, (_, attempt) -> attempt.over(at, unheard(attempt, at)));
  }

  /// Whose attempt it was.
  Optional<SimulatedCaller> caller(String attemptId) {
    return Optional.ofNullable(attempts.get(attemptId)).map(Attempt::caller);
  }

  /// For how long it was held up, at most.
  Duration heldUp(String attemptId) {
    Attempt attempt = attempts.get(attemptId);
    return attempt == null ? Duration.ZERO : heldUp(attempt).plus(everybody(attempt, attempt.to()));
  }

  /// For how long a run was held up until then, at most, from its first attempt on.
  Duration heldUp(RunKey run, Instant until) {
    List<Attempt> its = of(run);
    return its.stream()
        .map(AttemptHits::heldUp)
        .reduce(Duration.ZERO, Duration::plus)
        .plus(
            its.stream()
                .min(Comparator.comparing(Attempt::from))
                .map(first -> everybody(first, until))
                .orElse(Duration.ZERO));
  }

  /// True if a runner died that had a message of the run.
  boolean died(RunKey run) {
    return of(run).stream().anyMatch(Attempt::died);
  }

  /// True if something kept it from the log for so long that it gives up.
  private boolean unheard(Attempt attempt, Instant at) {
    return Stream.concat(attempt.caller().hits().stream(), faults.everybody().stream())
        .filter(hit -> hit.fault().silences() && hit.meets(at.minus(LEAVES_MAX), at))
        .filter(hit -> hit.within(attempt.from(), at).compareTo(CUT_OFF_MIN) >= 0)
        .anyMatch(hit -> keepsFromLog(attempt.caller(), hit));
  }

  private boolean keepsFromLog(SimulatedCaller caller, Hit hit) {
    return hit.fault() == Fault.PARTITION
        ? !caller.reaches(Port.LOG_WRITE, hit.to().minusMillis(1))
        : caller.hits().contains(hit) || faults.kept(Port.LOG_WRITE, hit.from(), hit.to());
  }

  /// True if nobody heard of its end, as its runner died, was cut off from the log or stood still;
  /// and its run ends before `sweep` must have taken it for lost.
  boolean leftUnheard(String attemptId, Instant until) {
    Attempt attempt = attempts.get(attemptId);
    return attempt != null
        && (attempt.died() || attempt.unheard())
        && !until.isAfter(attempt.to().plus(NOTICED_MAX));
  }

  /// True if something befell the attempt that has this receipt, or another one at its runner,
  /// which extends the leases of all; or if there is none, because what was received did not
  /// arrive.
  boolean disturbed(String receipt) {
    return attempts.values().stream()
        .filter(attempt -> attempt.ticket().receipt().equals(receipt))
        .findAny()
        .map(this::disturbed)
        .orElse(true);
  }

  private boolean disturbed(Attempt attempt) {
    return faults.everybody().stream().anyMatch(hit -> hit.meets(attempt.from(), attempt.to()))
        || attempts.values().stream().filter(attempt::beside).anyMatch(Attempt::met);
  }

  private List<Attempt> of(RunKey run) {
    return attempts.values().stream().filter(attempt -> attempt.run().equals(run)).toList();
  }

  private static Duration heldUp(Attempt attempt) {
    return lasted(attempt.caller().hits(), attempt.from(), attempt.to(), AGAIN)
        .plus(lasted(attempt.background().hits(), attempt.from(), attempt.to(), BUCKET_AGAIN));
  }

  private Duration everybody(Attempt since, Instant until) {
    return lasted(faults.everybody(), since.from(), until, BUCKET_AGAIN);
  }

  private static Duration lasted(List<Hit> hits, Instant from, Instant to, Duration again) {
    return hits.stream()
        .filter(hit -> hit.meets(from, to))
        .map(hit -> hit.within(from, to).plus(again))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /// True if the bucket was kept from it.
  ///
  /// @param withholding the faults of one caller that do so
  boolean withoutBucket(String attemptId, Set<Fault> withholding) {
    Attempt attempt = attempts.get(attemptId);
    return attempt != null
        && (faults.kept(Port.BUCKET, attempt.from(), attempt.to())
            || attempt.background().hits().stream()
                .filter(hit -> withholding.contains(hit.fault()))
                .anyMatch(hit -> hit.meets(attempt.from(), attempt.to())));
  }
}
