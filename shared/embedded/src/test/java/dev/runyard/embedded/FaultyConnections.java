package dev.runyard.embedded;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Connections whose commits can fail, whose disk can be full, and whose pages can be small.
final class FaultyConnections implements ConnectionSource {
  static final int PAGE_BYTES = 4_096;
  private static final long PAGES_ANY = 4_294_967_294L;

  /// When a commit fails that is about to.
  enum Moment {
    BEFORE_IT_IS_APPLIED,
    AFTER_IT_WAS_APPLIED
  }

  private record Failure(int after, SQLiteErrorCode code, Moment moment) {}

  private final List<Connection> open = new ArrayList<>();
  private @Nullable Failure failure;
  private long pagesMax = PAGES_ANY;
  private int pageBytes = PAGE_BYTES;
  private int opened;

  /// Fails the next commit that is asked for.
  synchronized void failNextCommit(SQLiteErrorCode code, Moment moment) {
    failNextCommitBut(0, code, moment);
  }

  /// Fails the commit that comes after as many others.
  synchronized void failNextCommitBut(int after, SQLiteErrorCode code, Moment moment) {
    failure = new Failure(after, code, moment);
  }

  /// Leaves the store `pages` more pages, from now on.
  synchronized void leavePages(long pages) throws SQLException {
    for (Connection connection : live()) {
      try (Statement statement = connection.createStatement();
          var found = statement.executeQuery("pragma page_count")) {
        pagesMax = found.getLong(1) + pages;
      }
      limit(connection);
    }
  }

  synchronized void leaveAllPages() throws SQLException {
    pagesMax = PAGES_ANY;
    for (Connection connection : live()) {
      limit(connection);
    }
  }

  /// Gives files that are made from now on pages of this size.
  synchronized void makePages(int bytes) {
    pageBytes = bytes;
  }

  /// Connections that were opened so far.
  synchronized int opened() {
    return opened;
  }

  private List<Connection> live() {
    open.removeIf(FaultyConnections::isClosed);
    return open;
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void limit(Connection connection) throws SQLException {
    execute(connection, "pragma max_page_count = " + pagesMax);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public synchronized Connection open(Path file) throws SQLException {
    Connection real = ConnectionSource.SQLITE.open(file);
    execute(real, "pragma page_size = " + pageBytes);
    limit(real);
    open.add(real);
    opened++;
    return (Connection)
        Proxy.newProxyInstance(
            FaultyConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              try {
                if (!method.getName().equals("commit")) {
                  return method.invoke(real, arguments);
                }
                commit(real);
                return null;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void commit(Connection real) throws SQLException {
    Failure now = taken();
    if (now == null || now.moment == Moment.AFTER_IT_WAS_APPLIED) {
      real.commit();
    }
    if (now != null) {
      throw new SQLiteException("planned by a test", now.code);
    }
  }

  private synchronized @Nullable Failure taken() {
    Failure now = failure;
    if (now != null && now.after > 0) {
      failure = new Failure(now.after - 1, now.code, now.moment);
      return null;
    }
    failure = null;
    return now;
  }
}
