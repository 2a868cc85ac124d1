package dev.runyard.embedded;

import dev.runyard.core.fleet.Slot;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A slot as it is stored: one without a claim is free, one with a runner is held.
///
/// @param claim names the claim
/// @param claimed epoch milliseconds
/// @param renewed epoch milliseconds
/// @param taking 1 while the runner takes runs
/// @param unqueued runs of a held one whose messages the queue no longer has
/// @param finishing runs of the queue that a held one ends, where it takes no further ones
record SlotRow(
    int number,
    long version,
    @Nullable String claim,
    @Nullable Long claimed,
    @Nullable String task,
    @Nullable String runner,
    @Nullable Long renewed,
    @Nullable Integer taking,
    int unqueued,
    int finishing) {
  static final String COLUMNS =
      "number, version, claim, claimed, task, runner, renewed, taking, unqueued, finishing";

  static SlotRow of(Slot slot) {
    return switch (slot) {
      case Slot.Free free ->
          new SlotRow(free.number(), free.version(), null, null, null, null, null, null, 0, 0);
      case Slot.Claimed claimed -> of(slot, claimed.claim(), null, null, null, 0, 0);
      case Slot.Held held ->
          of(
              slot,
              held.claim(),
              held.runner(),
              held.renewedAt().toEpochMilli(),
              held.taking() ? 1 : 0,
              held.unqueued(),
              held.finishing());
    };
  }

  private static SlotRow of(
      Slot slot,
      Slot.Claim claim,
      @Nullable String runner,
      @Nullable Long renewed,
      @Nullable Integer taking,
      int unqueued,
      int finishing) {
    return new SlotRow(
        slot.number(),
        slot.version(),
        claim.token(),
        claim.at().toEpochMilli(),
        claim.task().orElse(null),
        runner,
        renewed,
        taking,
        unqueued,
        finishing);
  }

  static SlotRow of(ResultSet found) throws SQLException {
    return new SlotRow(
        found.getInt(1),
        found.getLong(2),
        found.getString(3),
        number(found, 4),
        found.getString(5),
        found.getString(6),
        number(found, 7),
        found.getString(8) == null ? null : found.getInt(8),
        found.getInt(9),
        found.getInt(10));
  }

  private static @Nullable Long number(ResultSet found, int column) throws SQLException {
    return found.getString(column) == null ? null : found.getLong(column);
  }

  Slot slot() {
    if (claim == null || claimed == null) {
      return new Slot.Free(number, version);
    }
    Slot.Claim by = new Slot.Claim(claim, Instant.ofEpochMilli(claimed), Optional.ofNullable(task));
    return runner == null || renewed == null || taking == null
        ? new Slot.Claimed(number, version, by)
        : new Slot.Held(
            number,
            version,
            by,
            runner,
            Instant.ofEpochMilli(renewed),
            taking == 1,
            unqueued,
            finishing);
  }

  @Nullable Object[] values() {
    return new @Nullable Object[] {
      number, version, claim, claimed, task, runner, renewed, taking, unqueued, finishing
    };
  }
}
