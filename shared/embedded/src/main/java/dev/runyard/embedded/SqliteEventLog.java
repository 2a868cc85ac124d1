package dev.runyard.embedded;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
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
          + " (partition, first, last, id, writer, state, closed, at, expires, body)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (partition, first) do nothing";
  private static final String THERE = "select id from chunks where partition = ? and first = ?";
  private static final String CHUNK =
      "select first, last, id, writer, state, closed, body from chunks where partition = ?";

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
    String partition = chunk.key().partition();
    byte[] body = chunk.body().bytes();
    Instant now = clock.instant();
    Access<AppendResult> append =
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
                  body);
          return appended == 1 || isThere(connection, partition, chunk)
              ? AppendResult.appended()
              : AppendResult.collision();
        };
    Bell stream = database.streams().of(partition);
    return chunk.state().isPresent()
        ? database.write("append", append, database.appends(), stream, database.changes())
        : database.write("append", append, database.appends(), stream);
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

  @Override
  public boolean hasNews(StreamKey key, long sequence) {
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

  private static Chunk chunk(StreamKey key, ResultSet found) throws SQLException {
    return new Chunk(
        key,
        found.getString("id"),
        found.getString("writer"),
        ChunkBody.stored(found.getLong("first"), found.getLong("last"), found.getBytes("body")),
        Optional.ofNullable(found.getString("state")),
        found.getBoolean("closed"));
  }
}
