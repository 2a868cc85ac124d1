package dev.runyard.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.session.SessionQueue;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// The order of turns as a table: a row a session, which is written on the condition that its
/// version is still the one read.
final class SqliteSessionQueue implements SessionQueue {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<List<String>> TEXTS = new TypeReference<>() {};
  private static final String READ =
      "select version, runs, indexed from turns where tenant = ? and session = ?";
  private static final String FIRST =
      "insert into turns (version, runs, indexed, expires, tenant, session)"
          + " values (?, ?, ?, ?, ?, ?) on conflict (tenant, session) do nothing";
  private static final String NEXT =
      "update turns set version = ?, runs = ?, indexed = ?, expires = ?"
          + " where tenant = ? and session = ? and version = ?";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteSessionQueue(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Turns read(String tenant, String sessionId) {
    return database
        .read(
            "turns",
            connection -> connection.row(SqliteSessionQueue::turns, READ, tenant, sessionId))
        .orElse(Turns.NONE);
  }

  @Override
  public boolean write(String tenant, String sessionId, Turns next) {
    String runs = text(next.runs());
    long expires = clock.instant().plus(retention).toEpochMilli();
    long before = next.version();
    int indexed = next.indexed() ? 1 : 0;
    return database.write(
            "take turns",
            connection ->
                before == 0
                    ? connection.update(FIRST, 1, runs, indexed, expires, tenant, sessionId)
                    : connection.update(
                        NEXT, before + 1, runs, indexed, expires, tenant, sessionId, before))
        == 1;
  }

  private static Turns turns(ResultSet found) throws SQLException {
    return new Turns(found.getLong(1), texts(found.getString(2)), found.getBoolean(3));
  }

  private static String text(List<String> runs) {
    try {
      return JSON.writeValueAsString(runs);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> texts(String stored) {
    try {
      return JSON.readValue(stored, TEXTS);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
