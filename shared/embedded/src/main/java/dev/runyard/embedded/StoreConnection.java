package dev.runyard.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A connection and the statements it has prepared. One that failed is not used again. Not
/// thread-safe.
final class StoreConnection implements AutoCloseable {
  /// How long to wait for another program that has locked the file, such as one that looks into it.
  private static final int BUSY_MILLIS = 5_000;

  private static final int WRITER_CACHE_KIBIBYTES = 16 * 1024;
  private static final int READER_CACHE_KIBIBYTES = 4 * 1024;

  /// Pages of the write-ahead log after which they are carried over into the file.
  private static final int CHECKPOINT_PAGES = 8_000;

  /// What the write-ahead log is cut to, once it was longer and all of it was carried over.
  private static final int WAL_BYTES_KEPT = 64 * 1024 * 1024;

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  private StoreConnection(Connection connection) {
    this.connection = connection;
  }

  /// One that writes; what it does stands once it is committed.
  static StoreConnection writer(Connection connection, boolean sync) throws SQLException {
    StoreConnection writer =
        configured(
            connection,
            List.of(
                "busy_timeout = " + BUSY_MILLIS,
                "journal_mode = wal",
                "synchronous = " + (sync ? "full" : "normal"),
                "fullfsync = on",
                "checkpoint_fullfsync = on",
                "wal_autocheckpoint = " + CHECKPOINT_PAGES,
                "journal_size_limit = " + WAL_BYTES_KEPT,
                "temp_store = memory",
                "cache_size = -" + WRITER_CACHE_KIBIBYTES));
    try {
      if (!writer.row(Row.TEXT, "pragma journal_mode").equals(Optional.of("wal"))) {
        throw new SQLException("its file system does not support a write-ahead log");
      }
      connection.setAutoCommit(false);
      return writer;
    } catch (SQLException | RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  /// One that reads; each statement sees what was committed before it began.
  static StoreConnection reader(Connection connection) throws SQLException {
    return configured(
        connection,
        List.of(
            "busy_timeout = " + BUSY_MILLIS,
            "query_only = on",
            "temp_store = memory",
            "cache_size = -" + READER_CACHE_KIBIBYTES));
  }

  /// One that reads, and writes another file.
  static StoreConnection copier(Connection connection) throws SQLException {
    return configured(connection, List.of("busy_timeout = " + BUSY_MILLIS));
  }

  private static StoreConnection configured(Connection connection, List<String> pragmas)
      throws SQLException {
    StoreConnection configured = new StoreConnection(connection);
    try {
      for (String pragma : pragmas) {
        configured.execute("pragma " + pragma);
      }
      return configured;
    } catch (SQLException | RuntimeException e) {
      configured.close();
      throw e;
    }
  }

  /// Executes a statement once, whatever it answers.
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /// Executes a statement and says how many rows it changed.
  int update(String sql, @Nullable Object... values) throws SQLException {
    return prepared(sql, values).executeUpdate();
  }

  <T> List<T> rows(Row<T> row, String sql, @Nullable Object... values) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (ResultSet found = prepared(sql, values).executeQuery()) {
      while (found.next()) {
        rows.add(row.of(found));
      }
    }
    return rows;
  }

  /// The first row, where there is one.
  <T> Optional<T> row(Row<T> row, String sql, @Nullable Object... values) throws SQLException {
    try (ResultSet found = prepared(sql, values).executeQuery()) {
      return found.next() ? Optional.of(row.of(found)) : Optional.empty();
    }
  }

  private PreparedStatement prepared(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  void commit() throws SQLException {
    connection.commit();
  }

  /// Carries the whole write-ahead log over into the file. Only after a commit.
  void checkpoint() throws SQLException {
    connection.setAutoCommit(true);
    execute("pragma wal_checkpoint(truncate)");
  }

  /// What was not committed is gone. A connection that does not close either leaves nothing that
  /// would be committed.
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException _) {
      statements.clear();
    }
  }

  /// Makes a value of a row.
  @FunctionalInterface
  interface Row<T> {
    /// The first column as text.
    Row<String> TEXT = found -> found.getString(1);

    /// The first column as a number.
    Row<Long> NUMBER = found -> found.getLong(1);

    T of(ResultSet found) throws SQLException;
  }
}
