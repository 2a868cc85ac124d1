package dev.runyard.embedded;

import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartTrouble;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The slots as a table, and why starts fail as another. A write is made on the condition that the
/// version is the one before. They are never removed.
final class SqliteSlots implements Slots {
  private static final String SLOTS = "select " + SlotRow.COLUMNS + " from slots";
  private static final String VALUES = "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
  private static final String FIRST =
      "insert into slots (%s) values %s on conflict do nothing".formatted(SlotRow.COLUMNS, VALUES);
  private static final String NEXT =
      "update slots set (%s) = %s where number = ?1 and version = ?2 - 1"
          .formatted(SlotRow.COLUMNS, VALUES);
  private static final String TROUBLE = "select version, cause, since, at, broken from starts";
  private static final String FIRST_TROUBLE =
      "insert into starts (only, version, cause, since, at, broken) values (1, ?1, ?2, ?3, ?4, ?5)"
          + " on conflict do nothing";
  private static final String NEXT_TROUBLE =
      "update starts set (version, cause, since, at, broken) = (?1, ?2, ?3, ?4, ?5)"
          + " where version = ?1 - 1";

  private final StoreDatabase database;

  SqliteSlots(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public Fleet read() {
    return database.read(
        "read slots",
        connection ->
            new Fleet(
                connection.rows(SlotRow::of, SLOTS + " order by number").stream()
                    .map(SlotRow::slot)
                    .toList(),
                trouble(connection)));
  }

  @Override
  public boolean write(Slot slot) {
    SlotRow row = SlotRow.of(slot);
    return database.write(
        "write a slot",
        connection ->
            connection.update(row.version() == 1 ? FIRST : NEXT, row.values()) == 1
                || connection
                    .row(SlotRow::of, SLOTS + " where number = ?", row.number())
                    .filter(row::equals)
                    .isPresent());
  }

  @Override
  public boolean write(StartTrouble trouble) {
    Instant broken = trouble.brokenSince();
    StartTrouble stored =
        new StartTrouble(
            trouble.version(),
            trouble.cause(),
            inMillis(trouble.since()),
            inMillis(trouble.at()),
            broken == null ? null : inMillis(broken));
    StartFailure.Cause cause = stored.cause();
    @Nullable Object[] values = {
      stored.version(),
      cause == null ? null : cause.wire(),
      stored.since().toEpochMilli(),
      stored.at().toEpochMilli(),
      broken == null ? null : broken.toEpochMilli()
    };
    return database.write(
        "write a slot",
        connection ->
            connection.update(stored.version() == 1 ? FIRST_TROUBLE : NEXT_TROUBLE, values) == 1
                || trouble(connection).equals(stored));
  }

  private static StartTrouble trouble(StoreConnection connection) throws SQLException {
    return connection.row(SqliteSlots::trouble, TROUBLE).orElse(StartTrouble.NONE);
  }

  private static StartTrouble trouble(ResultSet found) throws SQLException {
    String cause = found.getString(2);
    return new StartTrouble(
        found.getLong(1),
        cause == null ? null : StartFailure.Cause.of(cause),
        Instant.ofEpochMilli(found.getLong(3)),
        Instant.ofEpochMilli(found.getLong(4)),
        broken(found));
  }

  private static @Nullable Instant broken(ResultSet found) throws SQLException {
    long since = found.getLong(5);
    return found.wasNull() ? null : Instant.ofEpochMilli(since);
  }

  private static Instant inMillis(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS);
  }
}
