package dev.runyard.embedded;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.stream.ChunkHash;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The event log as a table: a row a chunk, which stands in the order of the appends of all
/// streams, and is found by its stream and first sequence.
final class SqliteEventLog implements EventLog {
  private static final String APPEND =
      "insert into chunks"
          + " (partition, first, last, id, writer, state, closed, at, expires, body, previous)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (partition, first) do nothing";
  private static final String THERE = "select id from chunks where partition = ? and first = ?";
  private static final String CHUNK =
      "select first, last, id, writer, state, closed, body, previous from chunks where partition ="
          + " ?";

  /// One look at the index for each tenant: a partition begins with its tenant and a `#`, and `$`
  /// is the character after that.
  private static final String TENANTS =
      "with recursive found (partition) as (select min(partition) from chunks union all"
          + " select (select min(partition) from chunks where partition >"
          + " substr(found.partition, 1, instr(found.partition, '#') - 1) || '$')"
          + " from found where found.partition is not null)"
          + " select substr(partition, 1, instr(partition, '#') - 1) from found"
          + " where partition is not null";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteEventLog(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public AppendResult append(Chunk chunk) {
    byte[] body = chunk.body().bytes();
    boolean kept = database.recent().add(chunk);
    Placed placed = Placed.NOT;
    try {
      placed = write(chunk, body);
    } finally {
      if (kept && placed != Placed.NOW) {
        database.recent().remove(chunk);
      }
    }
    return placed == Placed.NOT ? AppendResult.collision() : AppendResult.appended();
  }

  private enum Placed {
    NOW,
    BEFORE,
    NOT
  }

  private Placed write(Chunk chunk, byte[] body) {
    String partition = chunk.key().partition();
    Instant now = clock.instant();
    Access<Placed> append =
        connection -> {
          int appended =
              connection.update(
                  APPEND,
                  partition,
                  chunk.first(),
                  chunk.last(),
                  chunk.id(),
                  chunk.writer(),
                  chunk.state().orElse(null),
                  chunk.closed() ? 1 : 0,
                  now.toEpochMilli(),
                  now.plus(retention).toEpochMilli(),
                  body,
                  chunk.previous().map(ChunkHash::bytes).orElse(null));
          if (appended == 1) {
            return Placed.NOW;
          }
          return isThere(connection, partition, chunk) ? Placed.BEFORE : Placed.NOT;
        };
    Bell stream = database.streams().of(partition);
    Bell listeners = database.listeners().of(partition, chunk.last());
    return chunk.state().isPresent()
        ? database.write(
            "append", append, database.appends(), stream, listeners, database.changes())
        : database.write("append", append, database.appends(), stream, listeners);
  }

  private static boolean isThere(StoreConnection connection, String partition, Chunk chunk)
      throws SQLException {
    return connection
        .row(StoreConnection.Row.TEXT, THERE, partition, chunk.first())
        .filter(chunk.id()::equals)
        .isPresent();
  }

  @Override
  public List<Chunk> chunksAfter(StreamKey key, long sequence) {
    return database.read(
        "read",
        connection ->
            connection.rows(
                found -> chunk(key, found),
                CHUNK + " and first > ? order by first limit " + READ_CHUNKS_MAX,
                key.partition(),
                sequence));
  }

  /// Everybody who has a log here.
  List<String> tenants() {
    return database.read(
        "tenants", connection -> connection.rows(StoreConnection.Row.TEXT, TENANTS));
  }

  /// Whether a chunk begins after `sequence`.
  boolean hasNews(StreamKey key, long sequence) {
    return database.read(
        "look",
        connection ->
            connection
                .row(
                    StoreConnection.Row.NUMBER,
                    "select first from chunks where partition = ? and first > ? limit 1",
                    key.partition(),
                    sequence)
                .isPresent());
  }

  @Override
  public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    return database.read(
        "read",
        connection ->
            connection.row(
                found -> chunk(key, found),
                CHUNK + " and first <= ? order by first desc limit 1",
                key.partition(),
                sequence));
  }

  private Chunk chunk(StreamKey key, ResultSet found) throws SQLException {
    long first = found.getLong(1);
    String id = found.getString(3);
    Optional<Chunk> recent = database.recent().find(key.partition(), first, id);
    return recent.isPresent()
        ? recent.get()
        : new Chunk(
            key,
            id,
            found.getString(4),
            ChunkBody.stored(first, found.getLong(2), found.getBytes(7)),
            Optional.ofNullable(found.getString(5)),
            found.getBoolean(6),
            Optional.ofNullable(found.getBytes(8)).map(ChunkHash::of));
  }
}
