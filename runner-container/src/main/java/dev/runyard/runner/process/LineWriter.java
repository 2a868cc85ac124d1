package dev.runyard.runner.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Writes lines to an agent on its own thread, in order, so that callers never wait for an agent
/// that does not read. Thread-safe.
public final class LineWriter {
  /// Most bytes that usually wait to be written; beyond that no line is taken.
  public static final int WAITING_BYTES_MAX = 4 * 1024 * 1024;

  private final OutputStream stream;
  private final String name;
  private final long waitingBytesMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Deque<byte[]> lines = new ArrayDeque<>();
  private long waitingBytes;
  private boolean started;
  private boolean closing;
  private boolean dropping;

  public LineWriter(OutputStream stream, String name) {
    this(stream, name, WAITING_BYTES_MAX);
  }

  /// @param name of the thread, which starts with the first line
  /// @param waitingBytesMax most bytes that wait to be written
  public LineWriter(OutputStream stream, String name, long waitingBytesMax) {
    this.stream = stream;
    this.name = name;
    this.waitingBytesMax = waitingBytesMax;
  }

  /// Takes a line without line end, and writes it with one. False, and nothing is written, while
  /// too much is waiting. A line after the end, or without a reader, is dropped.
  public boolean offer(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      if (waitingBytes > waitingBytesMax) {
        return false;
      }
      if (!closing && !dropping) {
        lines.add(bytes);
        waitingBytes += bytes.length;
        wake();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// True while a line would be taken.
  public boolean hasRoom() {
    lock.lock();
    try {
      return waitingBytes <= waitingBytesMax;
    } finally {
      lock.unlock();
    }
  }

  /// The end of input once everything taken is written. Does not wait for it.
  public void close() {
    lock.lock();
    try {
      closing = true;
      wake();
    } finally {
      lock.unlock();
    }
  }

  /// Nobody reads any more: waiting lines are dropped and the thread ends.
  public void drop() {
    lock.lock();
    try {
      dropping = true;
      lines.clear();
      waitingBytes = 0;
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void wake() {
    if (!started && !dropping) {
      started = true;
      Thread.ofPlatform().daemon().name(name).start(this::write);
    }
    news.signalAll();
  }

  /// An agent that is gone breaks the pipe; its exit is reported anyway.
  private void write() {
    try (stream) {
      for (Optional<byte[]> line = next(); line.isPresent(); line = next()) {
        stream.write(line.get());
        stream.flush();
        written(line.get().length);
      }
    } catch (IOException _) {
      drop();
    } catch (InterruptedException _) {
      drop();
      Thread.currentThread().interrupt();
    }
  }

  private Optional<byte[]> next() throws InterruptedException {
    lock.lock();
    try {
      while (lines.isEmpty() && !closing && !dropping) {
        news.await();
      }
      return Optional.ofNullable(lines.poll());
    } finally {
      lock.unlock();
    }
  }

  private void written(int bytes) {
    lock.lock();
    try {
      waitingBytes = Math.max(0, waitingBytes - bytes);
    } finally {
      lock.unlock();
    }
  }
}
