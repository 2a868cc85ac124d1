package dev.runyard.embedded;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import dev.runyard.core.stream.StreamState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Snapshots of the streams of one kind as a table, with indexes for lists and what is due.
class SqliteModels<K extends StreamKey, S extends StreamState> implements Models<K, S> {
  /// Sorts after each place.
  private static final String END = "~";

  private final ModelKind<K, S> kind;
  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;
  private final String save;
  private final String snapshot;
  private final String list;
  private final String due;

  SqliteModels(
      ModelKind<K, S> kind, StoreDatabase database, Duration retention, InstantSource clock) {
    this.kind = kind;
    this.database = database;
    this.retention = retention;
    this.clock = clock;
    this.save =
        sql(
            "insert into ${all} (tenant, ${one}, place, sequence, shard, due, expires, body)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, ${one}) do update set"
                + " sequence = excluded.sequence, due = excluded.due, expires = excluded.expires,"
                + " body = excluded.body where excluded.sequence > ${all}.sequence");
    this.snapshot = sql("select body from ${all} where tenant = ? and ${one} = ?");
    this.list =
        sql(
            "select body from ${all} indexed by ${all}_list where tenant = ? and place < ?"
                + " order by place desc limit ?");
    this.due =
        sql(
            "select tenant, ${one} from ${all} indexed by ${all}_due"
                + " where shard = ? and due is not null and due <= ? order by due limit ?");
  }

  private String sql(String text) {
    return text.replace("${all}", kind.names()).replace("${one}", kind.name());
  }

  @Override
  public Optional<S> snapshot(K key) {
    return database
        .read(
            "snapshot",
            connection ->
                connection.row(found -> found.getBytes(1), snapshot, key.tenant(), key.id()))
        .map(kind::unpack);
  }

  @Override
  public boolean save(S state) {
    K key = kind.keyOf().apply(state);
    byte[] body = kind.pack(state);
    return database.write(
            "save",
            connection ->
                connection.update(
                    save,
                    key.tenant(),
                    key.id(),
                    kind.placeOf(state),
                    state.sequence(),
                    Models.shardOf(key),
                    kind.dueAt().apply(state).map(Instant::toEpochMilli).orElse(null),
                    clock.instant().plus(retention).toEpochMilli(),
                    body))
        == 1;
  }

  @Override
  public List<S> newest(String tenant, int limit, Optional<String> after) {
    List<byte[]> found =
        database.read(
            "list",
            connection ->
                connection.rows(row -> row.getBytes(1), list, tenant, after.orElse(END), limit));
    return found.stream().map(kind::unpack).toList();
  }

  @Override
  public List<K> due(int shard, Instant now, int limit) {
    return database.read(
        "due",
        connection ->
            connection.rows(
                found -> kind.key().apply(found.getString(1), found.getString(2)),
                due,
                shard,
                now.toEpochMilli(),
                limit));
  }
}
