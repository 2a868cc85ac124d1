package dev.runyard.functions.deliver;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The end of a request's time. Then its connection is closed, whatever it waits for: a receiver
/// that sends a byte now and then outlives every time limit of a single read.
final class RequestDeadline implements AutoCloseable {
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("deadline").factory());

  private final long end;
  private final AtomicReference<@Nullable Socket> connection = new AtomicReference<>();
  private final Future<?> cut;
  private volatile boolean over;

  RequestDeadline(Duration longest) {
    this.end = System.nanoTime() + longest.toNanos();
    this.cut = TIMER.schedule(this::cut, longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Closes this connection when the time is up.
  void watch(Socket socket) {
    connection.set(socket);
    if (over) {
      close(socket);
    }
  }

  private void cut() {
    over = true;
    Socket socket = connection.get();
    if (socket != null) {
      close(socket);
    }
  }

  boolean isOver() {
    return over || left() <= 0;
  }

  /// Milliseconds until the end, at least one.
  int millis(int most) {
    return Math.clamp(left() / 1_000_000, 1, most);
  }

  long left() {
    return end - System.nanoTime();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      return;
    }
  }

  @Override
  public void close() {
    cut.cancel(false);
  }
}
