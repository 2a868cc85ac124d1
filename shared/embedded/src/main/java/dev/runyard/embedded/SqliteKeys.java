package dev.runyard.embedded;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Keys;
import dev.runyard.core.access.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Keys as a table.
final class SqliteKeys implements Keys {
  private static final String ADD =
      "insert into access_keys (hash, id, tenant, name, scopes, made_by, created, ends, used,"
          + " revoked, expires) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String COLUMNS =
      "select hash, id, tenant, name, scopes, made_by, created, ends, used, revoked"
          + " from access_keys ";
  private static final String FIND = COLUMNS + "where hash = ?";
  private static final String LIST = COLUMNS + "where tenant = ? order by created, id limit ?";
  private static final String ONE = COLUMNS + "where tenant = ? and id = ?";
  private static final String REVOKE =
      "update access_keys set revoked = ?, expires = ? where hash = ? and revoked is null";
  private static final String USED =
      "update access_keys set used = ? where hash = ? and (used is null or used <= ?)";

  private final StoreDatabase database;

  SqliteKeys(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public void add(AccessKey key) {
    database.write(
        "add a key",
        connection ->
            connection.update(
                ADD,
                key.hash(),
                key.id(),
                key.tenant(),
                key.name().orElse(null),
                key.scopes().stream().map(Scope::wire).sorted().collect(Collectors.joining(" ")),
                key.madeBy(),
                key.created().toEpochMilli(),
                millis(key.expires()),
                millis(key.used()),
                millis(key.revoked()),
                millis(key.forgettable())));
  }

  @Override
  public Optional<AccessKey> find(String hash) {
    return database.read("find a key", connection -> connection.row(SqliteKeys::key, FIND, hash));
  }

  @Override
  public List<AccessKey> list(String tenant) {
    return database.read(
        "list keys", connection -> connection.rows(SqliteKeys::key, LIST, tenant, LISTED_MAX));
  }

  @Override
  public Optional<AccessKey> revoke(String tenant, String id, Instant at) {
    return database.write(
        "revoke a key",
        connection -> {
          Optional<AccessKey> found =
              connection.row(SqliteKeys::key, ONE, tenant, id).map(key -> key.revokedAt(at));
          if (found.isPresent()) {
            AccessKey key = found.get();
            connection.update(REVOKE, millis(key.revoked()), millis(key.forgettable()), key.hash());
          }
          return found;
        });
  }

  @Override
  public void used(AccessKey key, Instant at, Instant before) {
    database.write(
        "note a key's use",
        connection ->
            connection.update(USED, at.toEpochMilli(), key.hash(), before.toEpochMilli()));
  }

  private static AccessKey key(ResultSet found) throws SQLException {
    return new AccessKey(
        found.getString(1),
        found.getString(2),
        found.getString(3),
        Optional.ofNullable(found.getString(4)),
        Arrays.stream(found.getString(5).split(" ", -1))
            .flatMap(name -> Scope.of(name).stream())
            .collect(Collectors.toSet()),
        found.getString(6),
        Instant.ofEpochMilli(found.getLong(7)),
        instant(found, 8),
        instant(found, 9),
        instant(found, 10));
  }

  private static Optional<Instant> instant(ResultSet found, int column) throws SQLException {
    long millis = found.getLong(column);
    return found.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  private static @Nullable Long millis(Optional<Instant> at) {
    return at.map(Instant::toEpochMilli).orElse(null);
  }
}
