package dev.runyard.core.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The fleet's current state: all slots that were ever claimed, and failing starts.
public record Fleet(List<Slot> slots, StartTrouble trouble) {
  public static final Fleet EMPTY = new Fleet(List.of(), StartTrouble.NONE);

  public Fleet {
    slots = List.copyOf(slots);
  }

  /// One of the slots; free if nobody has claimed it yet.
  public Slot slot(int number) {
    return slots.stream()
        .filter(slot -> slot.number() == number)
        .findFirst()
        .orElseGet(() -> new Slot.Free(number, 0));
  }

  /// Runners that take runs, or will once they have started.
  int offering(Instant now) {
    long starting = slots.stream().filter(Slot.Claimed.class::isInstance).count();
    return (int) starting + working(now);
  }

  /// Runners that take runs now.
  int working(Instant now) {
    return (int) taking(now).count();
  }

  /// Runs that keep runners busy and that the queue does not count.
  int unqueued(Instant now) {
    return taking(now).mapToInt(Slot.Held::unqueued).sum();
  }

  /// Runs that the queue counts and for which no runner is needed: theirs takes no others, and ends
  /// them. What a runner said that may have died since then says nothing of the queue.
  int finishing(Instant now) {
    return living(now)
        .filter(held -> !held.silentFor(Slot.FINISHING_SECONDS_MAX, now))
        .mapToInt(Slot.Held::finishing)
        .sum();
  }

  /// Runners of the slots before this one that take runs now.
  int takingBelow(int number, Instant now) {
    return (int) taking(now).filter(held -> held.number() < number).count();
  }

  private Stream<Slot.Held> taking(Instant now) {
    return living(now).filter(Slot.Held::taking);
  }

  private Stream<Slot.Held> living(Instant now) {
    return slots.stream()
        .filter(Slot.Held.class::isInstance)
        .map(Slot.Held.class::cast)
        .filter(held -> !held.expired(now));
  }

  /// The lowest free slot. Every claim is made there, so that two functions that need the same
  /// runner collide. Empty when `max` slots are taken, whichever they are.
  Optional<Slot.Free> next(int max) {
    long taken = slots.stream().filter(slot -> !(slot instanceof Slot.Free)).count();
    if (taken >= max) {
      return Optional.empty();
    }
    return IntStream.range(0, max)
        .mapToObj(this::slot)
        .filter(Slot.Free.class::isInstance)
        .map(Slot.Free.class::cast)
        .findFirst();
  }

  Fleet with(Slot changed) {
    Map<Integer, Slot> all = new TreeMap<>();
    slots.forEach(slot -> all.put(slot.number(), slot));
    all.put(changed.number(), changed);
    return new Fleet(List.copyOf(all.values()), trouble);
  }

  Fleet with(StartTrouble changed) {
    return new Fleet(slots, changed);
  }
}
