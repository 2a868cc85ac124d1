package dev.runyard.embedded;

import dev.runyard.core.problem.PortUnavailable;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Connections to read with, made when they are needed. A read sees all that was acknowledged
/// before it began, waits for no write, and holds none up. Thread-safe.
final class StoreReaders implements AutoCloseable {
  /// Reads that are done at the same time; others wait.
  static final int READS_MAX = 8;

  private final StoreWriter.Opening opening;
  private final Semaphore permits = new Semaphore(READS_MAX);
  private final Deque<StoreConnection> idle = new ArrayDeque<>();
  private volatile boolean closing;

  StoreReaders(StoreWriter.Opening opening) {
    this.opening = opening;
  }

  /// @param call names the read, for the message of a failure
  <T> T read(String call, Access<T> access) {
    try {
      permits.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PortUnavailable(call + " was interrupted", e);
    }
    try {
      if (closing) {
        throw StoreWriter.closed(call);
      }
      return readNow(access);
    } catch (SQLException e) {
      throw StoreFault.refusal(call, e);
    } finally {
      permits.release();
    }
  }

  private <T> T readNow(Access<T> access) throws SQLException {
    StoreConnection taken = idle();
    StoreConnection connection = taken == null ? opening.open() : taken;
    boolean whole = false;
    try {
      T found = access.with(connection);
      whole = true;
      return found;
    } finally {
      if (whole) {
        give(connection);
      } else {
        connection.close();
      }
    }
  }

  private synchronized @Nullable StoreConnection idle() {
    return idle.poll();
  }

  private synchronized void give(StoreConnection connection) {
    idle.push(connection);
  }

  /// Lets reads that are under way end, and refuses others.
  @Override
  public void close() {
    closing = true;
    permits.acquireUninterruptibly(READS_MAX);
    for (StoreConnection left = idle(); left != null; left = idle()) {
      left.close();
    }
    permits.release(READS_MAX);
  }
}
