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

  private static Properties settings() {
    return new Properties();
  }
}
