package dev.runyard.embedded;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/// Removes rows whose time has come and the parts of objects that are no more, a bounded number at
/// a time, so that no other write waits long. Whether something still counts is never judged by
/// whether it was removed.
final class StoreExpiry {
  /// Rows of one table that are removed by one call.
  static final int ROWS_MAX = 500;

  /// Parts of objects that are removed by one call.
  static final int PARTS_MAX = 64;

  private static final List<String> TABLES =
      List.of(
          "chunks",
          "runs",
          "keys",
          "access_keys",
          "stream_tokens",
          "turns",
          "messages",
          "uses",
          "held",
          "deliveries",
          "hook_deliveries",
          "jobs",
          "job_requests",
          "job_items",
          "tasks");
  private static final String EXPIRED_OBJECTS =
      "select key from objects indexed by objects_expiry where expires <= ? order by expires limit ?";

  private final StoreDatabase database;
  private final Predicate<String> beingPut;

  /// @param beingPut whether the parts of an object are needed although it is loose
  StoreExpiry(StoreDatabase database, Predicate<String> beingPut) {
    this.database = database;
    this.beingPut = beingPut;
  }

  /// Removes what has expired by `now`, and says how many rows that were: none when nothing is
  /// left.
  int expire(Instant now) {
    long millis = now.toEpochMilli();
    int removed = 0;
    for (String table : TABLES) {
      String delete =
          ("delete from %1$s where rowid in (select rowid from %1$s indexed by %1$s_expiry"
                  + " where expires <= ? order by expires limit ?)")
              .formatted(table);
      removed +=
          database.write("expire", connection -> connection.update(delete, millis, ROWS_MAX));
    }
    removed += database.write("expire", connection -> expireObjects(connection, millis));
    return removed + database.write("expire", this::removeLooseParts);
  }

  private static int expireObjects(StoreConnection connection, long millis) throws SQLException {
    List<String> keys =
        connection.rows(StoreConnection.Row.TEXT, EXPIRED_OBJECTS, millis, ROWS_MAX);
    for (String key : keys) {
      connection.update(SqliteArtifactStore.LOOSEN, key);
      connection.update(SqliteArtifactStore.DELETE, key);
    }
    return keys.size();
  }

  private int removeLooseParts(StoreConnection connection) throws SQLException {
    int left = PARTS_MAX;
    for (String object :
        connection.rows(
            StoreConnection.Row.TEXT,
            "select object from loose order by rowid limit ?",
            PARTS_MAX)) {
      if (left > 0 && !beingPut.test(object)) {
        left -=
            connection.update(
                "delete from parts where rowid in"
                    + " (select rowid from parts where object = ? order by part limit ?)",
                object,
                left);
        connection.update(
            "delete from loose where object = ?1"
                + " and not exists (select 1 from parts where object = ?1)",
            object);
      }
    }
    return PARTS_MAX - left;
  }
}
