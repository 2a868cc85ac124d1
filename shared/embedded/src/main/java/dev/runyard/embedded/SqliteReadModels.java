package dev.runyard.embedded;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.projection.SnapshotBody;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.run.RunState;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The read models as a table: a row a run, with what lists show of it and its snapshot, and
/// indexes for lists, sessions and what is due.
final class SqliteReadModels implements ReadModels {
  /// Runs one page looks at when a filter is set: a page may be short while there is a next one.
  static final int LOOKS_MAX = 10_000;

  private static final String SAVE =
      "insert into runs (tenant, run, sequence, status, agent, session, shard, due, expires, brief,"
          + " body) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, run) do update set"
          + " sequence = excluded.sequence, status = excluded.status, due = excluded.due,"
          + " expires = excluded.expires, brief = excluded.brief, body = excluded.body"
          + " where excluded.sequence > runs.sequence";
  private static final String SNAPSHOT = "select body from runs where tenant = ? and run = ?";
  private static final String DUE =
      "select tenant, run from runs indexed by runs_due"
          + " where shard = ? and due is not null and due <= ? order by due, tenant, run limit ?";

  private final StoreDatabase database;
  private final Duration retention;
  private final InstantSource clock;

  SqliteReadModels(StoreDatabase database, Duration retention, InstantSource clock) {
    this.database = database;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    return database
        .read(
            "snapshot",
            connection ->
                connection.row(found -> found.getBytes(1), SNAPSHOT, run.tenant(), run.runId()))
        .map(SnapshotCodec::unpack);
  }

  @Override
  public boolean save(RunState.Existing run) {
    RunKey key = run.facts().run();
    byte[] brief = SnapshotBody.encode(SnapshotCodec.brief(run));
    byte[] body = SnapshotCodec.pack(run);
    Instant expires = clock.instant().plus(retention);
    return database.write(
            "save",
            connection ->
                connection.update(
                    SAVE,
                    key.tenant(),
                    key.runId(),
                    run.sequence(),
                    run.status().wire(),
                    run.facts().request().agent(),
                    run.facts().request().sessionId(),
                    ReadModels.shardOf(key),
                    run.dueAt().map(Instant::toEpochMilli).orElse(null),
                    expires.toEpochMilli(),
                    brief,
                    body))
        == 1;
  }

  @Override
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    if (limit < 1 || limit > LIST_MAX) {
      throw new IllegalArgumentException("a list has 1 to " + LIST_MAX + " runs");
    }
    return database.read("list", connection -> page(connection, tenant, filter, limit, after));
  }

  private static RunPage page(
      StoreConnection connection,
      String tenant,
      RunFilter filter,
      int limit,
      Optional<String> after)
      throws SQLException {
    Terms terms = new Terms(filter.sessionId() == null ? "runs_list" : "runs_session");
    terms.add("tenant = ?", tenant);
    terms.add("session = ?", filter.sessionId());
    terms.add("run < ?", after.orElse(null));
    Optional<String> last =
        filter.equals(RunFilter.ALL) ? Optional.empty() : last(connection, terms);
    terms.add("run >= ?", last.orElse(null));
    terms.add("status = ?", filter.status());
    terms.add("agent = ?", filter.agent());
    List<byte[]> found =
        connection.rows(
            row -> row.getBytes(1), terms.select("brief", "limit " + (limit + 1)), terms.values());
    List<RunState.Existing> runs =
        found.stream().limit(limit).map(SnapshotBody::decode).map(SnapshotCodec::decode).toList();
    return new RunPage(
        runs, found.size() > limit ? Optional.of(runs.getLast().facts().run().runId()) : last);
  }

  /// The last run a page looks at; empty when that is the last there is.
  private static Optional<String> last(StoreConnection connection, Terms terms)
      throws SQLException {
    return connection.row(
        StoreConnection.Row.TEXT,
        terms.select("run", "limit 1 offset " + (LOOKS_MAX - 1)),
        terms.values());
  }

  @Override
  public List<RunKey> due(int shard, Instant now, int limit) {
    return database.read(
        "due",
        connection ->
            connection.rows(
                found -> new RunKey(found.getString(1), found.getString(2)),
                DUE,
                shard,
                now.toEpochMilli(),
                limit));
  }

  /// What is asked of runs, newest first, and the values it is asked with.
  private static final class Terms {
    private final String index;
    private final List<String> terms = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    Terms(String index) {
      this.index = index;
    }

    /// Asks for a value, unless there is none.
    void add(String term, @Nullable String value) {
      if (value != null) {
        terms.add(term);
        values.add(value);
      }
    }

    String select(String column, String limit) {
      return "select %s from runs indexed by %s where %s order by run desc %s"
          .formatted(column, index, String.join(" and ", terms), limit);
    }

    @Nullable Object[] values() {
      return values.toArray();
    }
  }
}
