package dev.runyard.embedded;

import dev.runyard.core.problem.PortUnavailable;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The one thread that writes. It takes everything that waits and commits it as one transaction, so
/// that those who write at the same time share a sync, and answers once that is durable.
///
/// A write that fails is undone and fails alone: its group is then tried one by one. After a
/// failure of the disk nothing is tried again, all of the group are refused, and the next group
/// begins on a new connection, which knows nothing but what the file says.
final class StoreWriter implements AutoCloseable {
  /// Writes one transaction carries out.
  static final int GROUP_WRITES_MAX = 128;

  /// Writes that wait; who comes then waits for room.
  static final int WAITING_WRITES_MAX = 1_024;

  /// Opens the connection to write with.
  @FunctionalInterface
  interface Opening {
    StoreConnection open() throws SQLException;
  }

  private final Opening opening;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Condition emptied = lock.newCondition();
  private final Deque<Pending<?>> waiting = new ArrayDeque<>();
  private final Map<String, Access<?>> later = new LinkedHashMap<>();
  private final Thread thread;
  private boolean closing;
  private final AtomicLong commits = new AtomicLong();
  private @Nullable StoreConnection connection;

  /// @param first the connection to begin with
  StoreWriter(StoreConnection first, Opening opening) {
    this.connection = first;
    this.opening = opening;
    this.thread = Thread.ofPlatform().daemon().name("store-writer").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /// What came of a write, once it is durable.
  ///
  /// @param call names it, for the message of a failure
  /// @param bells are rung when it is there to be read
  /// @throws PortUnavailable when it was not carried out, or that is not known
  <T> T write(String call, Access<T> access, Bell... bells) {
    Pending<T> pending = new Pending<>(access, List.of(bells), new CompletableFuture<>());
    try {
      add(pending, call);
      return pending.answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PortUnavailable(call + " was interrupted", e);
    } catch (ExecutionException e) {
      throw StoreFault.refusal(call, e.getCause());
    }
  }

  /// Writes this with the next transaction, whenever one comes. Nobody learns what came of it, and
  /// a store that is not closed before its process dies may lack it: for what only saves work.
  ///
  /// @param what is written; of several that wait for the same, the last one is
  void writeLater(String what, Access<?> access) {
    lock.lock();
    try {
      later.put(what, access);
    } finally {
      lock.unlock();
    }
  }

  private void add(Pending<?> pending, String call) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.size() >= WAITING_WRITES_MAX && !closing) {
        emptied.await();
      }
      if (closing) {
        throw closed(call);
      }
      waiting.add(pending);
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  static PortUnavailable closed(String call) {
    return new PortUnavailable(call + ": the store is closed");
  }

  /// Transactions that were committed.
  long commits() {
    return commits.get();
  }

  /// Writes that wait for the next transaction.
  int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    for (List<Pending<?>> group = next(); !group.isEmpty(); group = next()) {
      commit(group);
    }
    end();
  }

  /// Everything that waits; nothing when the store is closing and all is done.
  private List<Pending<?>> next() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closing) {
        filled.awaitUninterruptibly();
      }
      List<Pending<?>> group = new ArrayList<>();
      while (!waiting.isEmpty() && group.size() < GROUP_WRITES_MAX) {
        group.add(waiting.remove());
      }
      later.values().forEach(access -> group.add(Pending.ofNobody(access)));
      later.clear();
      emptied.signalAll();
      return group;
    } finally {
      lock.unlock();
    }
  }

  private void commit(List<Pending<?>> group) {
    List<Runnable> answers = new ArrayList<>();
    try {
      StoreConnection writing = opened();
      for (Pending<?> pending : group) {
        answers.add(pending.carryOut(writing));
      }
      writing.commit();
      commits.incrementAndGet();
    } catch (Throwable failure) {
      drop();
      if (group.size() > 1 && StoreFault.mayBeOfOne(failure)) {
        group.forEach(pending -> commit(List.of(pending)));
      } else {
        group.forEach(pending -> pending.answer.completeExceptionally(failure));
      }
      return;
    }
    group.stream().flatMap(pending -> pending.bells.stream()).distinct().forEach(Bell::ring);
    answers.forEach(Runnable::run);
  }

  private StoreConnection opened() throws SQLException {
    StoreConnection there = connection;
    if (there == null) {
      there = opening.open();
      connection = there;
    }
    return there;
  }

  private void drop() {
    StoreConnection there = connection;
    connection = null;
    if (there != null) {
      there.close();
    }
  }

  /// Leaves the file whole without its write-ahead log. What that does not carry over now, whoever
  /// opens the store next does.
  private void end() {
    try {
      opened().checkpoint();
    } catch (SQLException e) {
      System.getLogger(StoreWriter.class.getName())
          .log(System.Logger.Level.WARNING, "the write-ahead log stays", e);
    } finally {
      drop();
    }
  }

  /// Takes no more, and returns when all that waited is written.
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      filled.signalAll();
      emptied.signalAll();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private record Pending<T>(Access<T> access, List<Bell> bells, CompletableFuture<T> answer) {
    static <T> Pending<T> ofNobody(Access<T> access) {
      return new Pending<>(access, List.of(), new CompletableFuture<>());
    }

    /// Does it, and says how to answer.
    Runnable carryOut(StoreConnection connection) throws SQLException {
      T result = access.with(connection);
      return () -> answer.complete(result);
    }
  }
}
