package dev.runyard.embedded;

import dev.runyard.core.problem.PortUnavailable;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// What a failure of the database means.
enum StoreFault {
  /// There is no room. What is smaller may still fit.
  FULL("the disk is full; it goes on once there is space"),

  /// The disk failed. Whether it has what it was given is not known.
  DISK("the disk failed"),

  DAMAGED("the file is damaged; restore a backup"),

  BUSY("another program has locked the file"),

  /// The statement is wrong: a mistake of this code, which trying again cannot help.
  MISTAKE("the statement is wrong"),

  OTHER("the database did not answer");

  private static final Map<SQLiteErrorCode, StoreFault> KNOWN =
      Map.ofEntries(
          Map.entry(SQLiteErrorCode.SQLITE_FULL, FULL),
          Map.entry(SQLiteErrorCode.SQLITE_IOERR, DISK),
          Map.entry(SQLiteErrorCode.SQLITE_CORRUPT, DAMAGED),
          Map.entry(SQLiteErrorCode.SQLITE_NOTADB, DAMAGED),
          Map.entry(SQLiteErrorCode.SQLITE_BUSY, BUSY),
          Map.entry(SQLiteErrorCode.SQLITE_LOCKED, BUSY),
          Map.entry(SQLiteErrorCode.SQLITE_ERROR, MISTAKE),
          Map.entry(SQLiteErrorCode.SQLITE_CONSTRAINT, MISTAKE),
          Map.entry(SQLiteErrorCode.SQLITE_MISMATCH, MISTAKE),
          Map.entry(SQLiteErrorCode.SQLITE_MISUSE, MISTAKE),
          Map.entry(SQLiteErrorCode.SQLITE_RANGE, MISTAKE),
          Map.entry(SQLiteErrorCode.SQLITE_TOOBIG, MISTAKE));

  /// A result code of SQLite says the kind of failure in its last byte, and more before it.
  private static final int KIND = 0xff;

  private final String meaning;

  StoreFault(String meaning) {
    this.meaning = meaning;
  }

  static StoreFault of(SQLException e) {
    return e instanceof SQLiteException known
        ? KNOWN.getOrDefault(SQLiteErrorCode.getErrorCode(known.getResultCode().code & KIND), OTHER)
        : OTHER;
  }

  /// Whether the writes of a group that failed so may be tried one by one: what failed was one of
  /// them, or there was no room for all. When the disk has failed nothing may be tried again as if
  /// nothing had been: whoever asked must learn that it is not known.
  static boolean mayBeOfOne(Throwable failure) {
    return !(failure instanceof SQLException e)
        || switch (of(e)) {
          case FULL, MISTAKE -> true;
          case DISK, DAMAGED, BUSY, OTHER -> false;
        };
  }

  /// What the caller of a port is told.
  ///
  /// @param call names what was asked for
  static RuntimeException refusal(String call, @Nullable Throwable failure) {
    if (!(failure instanceof SQLException e)) {
      return new IllegalStateException(call + " failed", failure);
    }
    StoreFault fault = of(e);
    String message = message(call, e);
    return fault == MISTAKE
        ? new IllegalStateException(message, e)
        : new PortUnavailable(message, e);
  }

  static String message(String call, SQLException e) {
    return "%s: %s (%s)".formatted(call, of(e).meaning, e.getMessage());
  }
}
