package dev.runyard.agent.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Writes lines of ASCII in order, on its own thread, so that an agent waits for its runner only
/// where it may. There can be last lines, which nothing follows, whatever threads an agent leaves.
/// Thread-safe.
final class Outbox {
  /// Bytes that wait to be written; beyond that [#put] waits.
  static final int WAITING_BYTES_MAX = 1024 * 1024;

  private final OutputStream stream;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition news = lock.newCondition();
  private List<String> waiting = new ArrayList<>();
  private long waitingBytes;
  private boolean writing;
  private boolean ended;
  private boolean broken;

  private Outbox(OutputStream stream) {
    this.stream = stream;
  }

  static Outbox to(OutputStream stream) {
    Outbox outbox = new Outbox(stream);
    Thread.ofPlatform().daemon().name("to-runner").start(outbox::write);
    return outbox;
  }

  /// Takes lines without line ends, once there is room. False if they will not be written, because
  /// the last ones were taken, even while it waited, or nobody reads any more.
  boolean put(List<String> lines) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waitingBytes > WAITING_BYTES_MAX && open()) {
        room.await();
      }
      return add(lines);
    } finally {
      lock.unlock();
    }
  }

  /// Takes lines at once. False as of [#put].
  boolean putAtOnce(List<String> lines) {
    lock.lock();
    try {
      return add(lines);
    } finally {
      lock.unlock();
    }
  }

  /// Takes the last lines at once.
  void putLast(List<String> lines) {
    lock.lock();
    try {
      var _ = add(lines);
      ended = true;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Returns when everything is written, or nobody reads any more.
  void drain() {
    lock.lock();
    try {
      while ((!waiting.isEmpty() || writing) && !broken) {
        room.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean open() {
    return !ended && !broken;
  }

  private boolean add(List<String> lines) {
    boolean taken = open();
    if (taken) {
      waiting.addAll(lines);
      lines.forEach(line -> waitingBytes += line.length());
      news.signalAll();
    }
    return taken;
  }

  private void write() {
    try {
      while (true) {
        StringBuilder text = new StringBuilder();
        next().forEach(line -> text.append(line).append('\n'));
        stream.write(text.toString().getBytes(StandardCharsets.US_ASCII));
        stream.flush();
      }
    } catch (IOException | InterruptedException _) {
      giveUp();
    }
  }

  private List<String> next() throws InterruptedException {
    lock.lock();
    try {
      writing = false;
      room.signalAll();
      while (waiting.isEmpty()) {
        news.await();
      }
      List<String> next = waiting;
      waiting = new ArrayList<>();
      waitingBytes = 0;
      writing = true;
      room.signalAll();
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void giveUp() {
    lock.lock();
    try {
      broken = true;
      waiting.clear();
      waitingBytes = 0;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
