package dev.runyard.core.fleet;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// A runner's hold on the slot it was started for. A runner that lost it, or cannot renew it, takes
/// no more runs; those it has continue. Thread-safe.
public final class SlotHold {
  private static final int WRITES_MAX = 5;

  private final Slots slots;
  private final int number;
  private final String claim;
  private final String runner;
  private final InstantSource clock;
  private volatile @Nullable Kept kept;

  /// Whether it was asked for and nobody knows whether it was given.
  private boolean unsure;

  /// The slot as this runner last wrote it, and when that write began.
  private record Kept(Slot.Held slot, Instant at) {}

  /// @param claim token of the claim the runner was started with
  /// @param runner names this process, so that only one of two started for one claim works
  public SlotHold(Slots slots, int number, String claim, String runner, InstantSource clock) {
    this.slots = slots;
    this.number = number;
    this.claim = claim;
    this.runner = runner;
    this.clock = clock;
  }

  /// Which slot it is.
  public int number() {
    return number;
  }

  /// Takes the slot. False when it is not this runner's, and never will be.
  public synchronized boolean take() {
    for (int i = 0; i < WRITES_MAX; i++) {
      Instant begin = clock.instant();
      Slot slot = slots.read().slot(number);
      Slot.Held next =
          switch (slot) {
            case Slot.Claimed claimed when claimed.claim().token().equals(claim) ->
                claimed.hold(runner, begin);
            case Slot.Held mine when isMine(mine) -> mine.renew(true, mine.unqueued(), 0, begin);
            case Slot.Free _, Slot.Claimed _, Slot.Held _ -> null;
          };
      if (next == null) {
        return false;
      }
      unsure = true;
      boolean written = slots.write(next);
      unsure = false;
      if (written) {
        kept = new Kept(next, begin);
        return true;
      }
    }
    return false;
  }

  /// Renews the slot; to be called every [Slot#RENEW_SECONDS].
  ///
  /// @param taking whether it takes further runs
  /// @param unqueued runs it works on whose messages the queue no longer has
  /// @param queued runs it works on whose messages the queue has
  public synchronized void renew(boolean taking, int unqueued, int queued) {
    Kept now = kept;
    for (int i = 0; i < WRITES_MAX && now != null; i++) {
      Instant at = clock.instant();
      Kept next = new Kept(now.slot().renew(taking, unqueued, queued, at), at);
      now = slots.write(next.slot()) ? next : again(now.at());
      kept = now;
      if (next.equals(now)) {
        return;
      }
    }
  }

  /// Whether its runner stays though there is no work: unless that many runners of lower slots take
  /// runs. Going by the slots' order, of several that look at once the right ones stay; those of
  /// the lowest slots need not look.
  ///
  /// @param runnersMin runners that stay while there is no work
  public boolean stays(int runnersMin) {
    return number < runnersMin
        || (runnersMin > 0 && slots.read().takingBelow(number, clock.instant()) < runnersMin);
  }

  /// Whether a run may be taken now.
  public boolean mayTake() {
    Kept now = kept;
    return now != null
        && Duration.between(now.at(), clock.instant()).toSeconds() < Slot.TAKE_SECONDS_MAX;
  }

  /// True when the slot is not, or no longer, this runner's.
  public boolean lost() {
    return kept == null;
  }

  /// Gives the slot back, for the next runner; also one that it was given without being told.
  public synchronized void release() {
    Kept now = unsure ? again(clock.instant()) : kept;
    unsure = false;
    for (int i = 0; i < WRITES_MAX && now != null; i++) {
      now = slots.write(now.slot().free()) ? null : again(now.at());
      kept = now;
    }
  }

  /// The slot after another writer changed it: with the runner's task, or with another claim.
  ///
  /// @param at when it was last written
  private @Nullable Kept again(Instant at) {
    return slots.read().slot(number) instanceof Slot.Held mine && isMine(mine)
        ? new Kept(mine, at)
        : null;
  }

  private boolean isMine(Slot.Held slot) {
    return slot.claim().token().equals(claim) && slot.runner().equals(runner);
  }
}
