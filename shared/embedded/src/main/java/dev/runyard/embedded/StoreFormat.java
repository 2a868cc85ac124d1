package dev.runyard.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The tables of a store. Each change of them is a step, which is kept for ever: a file says how
/// many steps it has been through, and the others follow when it is opened.
///
/// @param steps SQL scripts, in which a semicolon ends a statement and its line; the first makes
///   the tables in an empty file
record StoreFormat(List<String> steps) {
  /// What this version of Runyard reads and writes.
  static final StoreFormat CURRENT =
      new StoreFormat(
          List.of(
              script("format-1.sql"),
              script("format-2.sql"),
              script("format-3.sql"),
              script("format-4.sql"),
              script("format-5.sql"),
              script("format-6.sql"),
              script("format-7.sql"),
              script("format-8.sql"),
              script("format-9.sql"),
              script("format-10.sql"),
              script("format-11.sql"),
              script("format-12.sql"),
              script("format-13.sql")));

  private static final Pattern STATEMENT_END = Pattern.compile(";\\s*\\n");

  StoreFormat {
    steps = List.copyOf(steps);
  }

  /// Brings the file to this format, all the way or not at all.
  ///
  /// @throws StoreRefused when it is of a newer one, or not of a store
  void prepare(StoreConnection connection) throws SQLException {
    int format = formatOf(connection);
    if (format > steps.size()) {
      throw new StoreRefused(
          ("The store has format %d, this version of Runyard reads up to %d. Use the version that"
                  + " wrote it, or a backup from before.")
              .formatted(format, steps.size()));
    }
    if (format == steps.size()) {
      return;
    }
    for (String step : steps.subList(format, steps.size())) {
      for (String statement : STATEMENT_END.split(step, 0)) {
        connection.execute(statement);
      }
    }
    connection.update(
        "insert into meta(name, value) values ('format', ?)"
            + " on conflict (name) do update set value = excluded.value",
        Integer.toString(steps.size()));
    connection.commit();
  }

  /// How many steps the file has been through; 0 when it is empty.
  private static int formatOf(StoreConnection connection) throws SQLException {
    long tables = count(connection, "select count(*) from sqlite_schema");
    if (tables == 0) {
      return 0;
    }
    Optional<String> format =
        count(connection, "select count(*) from sqlite_schema where name = 'meta'") == 0
            ? Optional.empty()
            : connection.row(
                StoreConnection.Row.TEXT, "select value from meta where name = 'format'");
    return Integer.parseInt(
        format.orElseThrow(() -> new StoreRefused("The file is no store of Runyard's.")));
  }

  private static long count(StoreConnection connection, String sql) throws SQLException {
    return connection.row(StoreConnection.Row.NUMBER, sql).orElse(0L);
  }

  private static String script(String name) {
    try (InputStream in = StoreFormat.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
