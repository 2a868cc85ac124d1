package dev.runyard.embedded;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The appends of all streams in the order they were made, and how far each consumer has come. A
/// change stays until its chunk expires, so a consumer may lag, be stopped, or come later.
/// Thread-safe.
public final class ChangeFeed {
  /// Most changes one read returns.
  public static final int READ_CHANGES_MAX = 100;

  private static final String COLUMNS = "position, partition, first, last, state, closed, at";
  private static final String POSITION = "select position from consumers where name = ?";
  private static final String KEEP =
      "insert into consumers (name, position) values (?, ?) on conflict (name) do update set"
          + " position = excluded.position where excluded.position > position";

  private final StoreDatabase database;

  ChangeFeed(StoreDatabase database) {
    this.database = database;
  }

  /// Changes behind a position, in order, at most `max`. Position 0 is the beginning.
  public List<StreamChange> after(long position, ChangeFilter filter, int max) {
    if (max < 1 || max > READ_CHANGES_MAX) {
      throw new IllegalArgumentException("a read has 1 to " + READ_CHANGES_MAX + " changes");
    }
    return database.read(
        "changes",
        connection -> connection.rows(ChangeFeed::change, filter.select(COLUMNS), position, max));
  }

  /// How far a consumer has come; 0 for one that has not begun.
  public long position(String consumer) {
    return database.positions().computeIfAbsent(consumer, this::kept);
  }

  private long kept(String consumer) {
    return database
        .read(
            "changes", connection -> connection.row(StoreConnection.Row.NUMBER, POSITION, consumer))
        .orElse(0L);
  }

  /// Keeps how far a consumer has come. It never goes back, but for what the store was not told to
  /// write since: the position is written with whatever is written next.
  public void keep(String consumer, long position) {
    long reached = database.positions().merge(consumer, position, Math::max);
    database.writeLater(
        "position of " + consumer, connection -> connection.update(KEEP, consumer, reached));
  }

  /// Rung when there may be another change that passes the filter.
  Doorbell bell(ChangeFilter filter) {
    return switch (filter) {
      case ALL -> database.appends();
      case STATE -> database.changes();
    };
  }

  private static StreamChange change(ResultSet found) throws SQLException {
    return new StreamChange(
        found.getLong(1),
        found.getString(2),
        found.getLong(3),
        found.getLong(4),
        Optional.ofNullable(found.getString(5)),
        found.getBoolean(6),
        Instant.ofEpochMilli(found.getLong(7)));
  }
}
