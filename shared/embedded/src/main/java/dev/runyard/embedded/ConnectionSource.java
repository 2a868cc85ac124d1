package dev.runyard.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.JDBC;

/// Opens connections to the file of a store.
@FunctionalInterface
interface ConnectionSource {
  /// SQLite in this process.
  ConnectionSource SQLITE =
      file -> JDBC.createConnection("jdbc:sqlite:" + file.toUri(), settings());

  Connection open(Path file) throws SQLException;

  /// Loads the driver and its native library.
  static void load() throws SQLException {
    JDBC.createConnection("jdbc:sqlite::memory:", settings()).close();
  }

  private static Properties settings() {
    return new Properties();
  }
}
