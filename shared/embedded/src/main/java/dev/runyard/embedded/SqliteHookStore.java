package dev.runyard.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.hook.Hook;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookStore;
import dev.runyard.core.json.JsonFormat;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Hooks as a table, whose rows are written on the condition that the version before is there.
final class SqliteHookStore implements HookStore {
  private static final String COLUMNS = "select tenant, token, version, created, updated, body";
  private static final String FIND = COLUMNS + " from hooks where tenant = ? and token = ?";
  private static final String LIST =
      COLUMNS + " from hooks where tenant = ? order by token limit ?";
  private static final String FIRST =
      "insert into hooks (version, created, updated, body, tenant, token)"
          + " values (?, ?, ?, ?, ?, ?) on conflict (tenant, token) do nothing";
  private static final String NEXT =
      "update hooks set version = ?, created = ?, updated = ?, body = ?"
          + " where tenant = ? and token = ? and version = ?";
  private static final String DELETE = "delete from hooks where tenant = ? and token = ?";

  private final StoreDatabase database;

  SqliteHookStore(StoreDatabase database) {
    this.database = database;
  }

  @Override
  public Optional<Hook> find(HookId id) {
    return database.read(
        "find a hook",
        connection -> connection.row(SqliteHookStore::hook, FIND, id.tenant(), id.token()));
  }

  @Override
  public List<Hook> list(String tenant) {
    return database.read(
        "list hooks",
        connection -> connection.rows(SqliteHookStore::hook, LIST, tenant, LISTED_MAX));
  }

  @Override
  public boolean write(Hook hook) {
    long created = hook.createdAt().toEpochMilli();
    long updated = hook.updatedAt().toEpochMilli();
    String body = hook.definition().toString();
    String tenant = hook.id().tenant();
    String token = hook.id().token();
    long version = hook.version();
    return database.write(
            "write a hook",
            connection ->
                version == 1
                    ? connection.update(FIRST, version, created, updated, body, tenant, token)
                    : connection.update(
                        NEXT, version, created, updated, body, tenant, token, version - 1))
        == 1;
  }

  @Override
  public boolean delete(HookId id) {
    return database.write(
            "delete a hook", connection -> connection.update(DELETE, id.tenant(), id.token()))
        == 1;
  }

  private static Hook hook(ResultSet found) throws SQLException {
    try {
      return new Hook(
          new HookId(found.getString(1), found.getString(2)),
          found.getLong(3),
          (ObjectNode) JsonFormat.JSON.readTree(found.getString(6)),
          Instant.ofEpochMilli(found.getLong(4)),
          Instant.ofEpochMilli(found.getLong(5)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
