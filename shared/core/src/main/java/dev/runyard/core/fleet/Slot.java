package dev.runyard.core.fleet;

import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The right of one runner to work. There are as many slots as runners may work at once, so no race
/// starts more: a slot is claimed before its runner is started, and a runner without one does
/// nothing.
///
/// ```
/// free → claimed → held → free
///           ↓ its runner never came
///          free
/// ```
///
/// A change is a write on the condition that the version is still the one that was read.
public sealed interface Slot {
  /// A runner renews its slot at least this often.
  int RENEW_SECONDS = 40;

  /// A runner that could not renew its slot for this long takes no more runs.
  int TAKE_SECONDS_MAX = 120;

  /// A runner that did not renew its slot for this long, by the reader's clock, takes no more runs,
  /// however that clock and its own differ.
  int QUIET_SECONDS = TAKE_SECONDS_MAX + Limits.CLOCK_SKEW_SECONDS_MAX;

  /// What a runner said of its runs when it renewed its slot says nothing any more after this long
  /// by the reader's clock: by any clock, it has then missed a renewal.
  int FINISHING_SECONDS_MAX = 2 * RENEW_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX;

  /// A held slot that was not renewed for this long, by the reader's clock, is freed unless
  /// something shows that its runner lives: its runner has stopped taking runs, and one that cannot
  /// reach the tables has ended its agents by then.
  int LEASE_SECONDS = 180 + RENEW_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX;

  /// A runner that was silent for this long cannot have a run any more, whatever its task's status.
  int SILENT_SECONDS_MAX = Limits.RUN_SECONDS_MAX + LEASE_SECONDS;

  /// A claimed slot that its runner did not take within this time is free again.
  int START_SECONDS_MAX = 300;

  /// Which of the slots, from 0.
  int number();

  /// Counts the writes; 0 before the first.
  long version();

  /// Free.
  record Free(int number, long version) implements Slot {
    /// This slot, claimed for a runner that will be started next.
    public Claimed claim(String token, Instant now) {
      return new Claimed(number, version + 1, new Claim(token, now, Optional.empty()));
    }
  }

  /// A runner is being started, or is just about to be.
  record Claimed(int number, long version, Claim claim) implements Slot {
    Claimed task(String task) {
      return new Claimed(number, version + 1, claim.task(task));
    }

    /// This slot, taken by its runner.
    Held hold(String runner, Instant now) {
      return new Held(number, version + 1, claim, runner, now, true, 0, 0);
    }
  }

  /// A runner works here.
  ///
  /// @param runner names the process
  /// @param renewedAt on the runner's clock
  /// @param taking false once the runner takes no further runs
  /// @param unqueued runs it works on whose messages the queue no longer has
  /// @param finishing runs it works on that the queue counts, once it takes no further ones: they
  ///   need no other runner
  record Held(
      int number,
      long version,
      Claim claim,
      String runner,
      Instant renewedAt,
      boolean taking,
      int unqueued,
      int finishing)
      implements Slot {
    Held renew(boolean stillTaking, int nowUnqueued, int nowQueued, Instant now) {
      int nowFinishing = stillTaking ? 0 : nowQueued;
      return new Held(
          number, version + 1, claim, runner, now, stillTaking, nowUnqueued, nowFinishing);
    }

    Held task(String task) {
      Claim known = claim.task(task);
      return new Held(number, version + 1, known, runner, renewedAt, taking, unqueued, finishing);
    }

    boolean expired(Instant now) {
      return silentFor(LEASE_SECONDS, now);
    }

    boolean silentFor(int seconds, Instant now) {
      return Duration.between(renewedAt, now).toSeconds() >= seconds;
    }
  }

  /// Who holds a slot.
  ///
  /// @param token names the claim; its runner is started with it
  /// @param task the runner's task, once it is known
  record Claim(String token, Instant at, Optional<String> task) {
    boolean olderThan(int seconds, Instant now) {
      return Duration.between(at, now).toSeconds() >= seconds;
    }

    Claim task(String known) {
      return new Claim(token, at, Optional.of(known));
    }
  }

  /// This slot, freed.
  default Free free() {
    return new Free(number(), version() + 1);
  }
}
