package dev.runyard.runner.loopback;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Connections to a port of the loopback address that have not yet said whose they are. Whoever
/// opens many of them and says nothing must not keep out others, so the oldest gives way to a new
/// one: who has something to say says it at once. Thread-safe.
///
/// A closed connection keeps its descriptor and its thread until the thread, which waits for bytes,
/// has had the processor. On a busy machine that is later than the next connections come, so they
/// are counted too, and new ones wait for them.
public final class Strangers {
  /// How many there may be at a port.
  public static final int STRANGERS_MAX = 128;

  /// Most that are served at once, with those that gave way and are not over yet.
  public static final int SERVED_MAX = STRANGERS_MAX + 64;

  private static final Duration ACCEPT_PAUSE = Duration.ofMillis(10);

  private final Semaphore places = new Semaphore(SERVED_MAX);
  private final Set<Socket> served = new HashSet<>();
  private final Deque<Socket> sockets = new ArrayDeque<>();

  /// Takes the connections to a port until it is closed. Nothing else ends this, or the port would
  /// be lost to all: not a connection that failed before it was one, nor a machine that has no
  /// descriptor left or no thread, which is an error.
  ///
  /// @param threads serve one connection each
  /// @param serve may say that the connection is known; that it is over need not be said
  public void accept(ServerSocket port, Executor threads, Consumer<Socket> serve) {
    while (!port.isClosed()) {
      try {
        begin(port.accept(), threads, serve);
      } catch (IOException | Error _) {
        LockSupport.parkNanos(ACCEPT_PAUSE.toNanos());
      }
    }
  }

  private void begin(Socket socket, Executor threads, Consumer<Socket> serve) {
    boolean begun = false;
    try {
      enter(socket);
      threads.execute(
          () -> {
            try {
              serve.accept(socket);
            } finally {
              leave(socket);
            }
          });
      begun = true;
    } finally {
      if (!begun) {
        leave(socket);
        close(socket);
      }
    }
  }

  /// A connection has begun.
  private void enter(Socket socket) {
    places.acquireUninterruptibly();
    @Nullable Socket oldest;
    synchronized (this) {
      served.add(socket);
      sockets.add(socket);
      oldest = sockets.size() > STRANGERS_MAX ? sockets.remove() : null;
    }
    if (oldest != null) {
      close(oldest);
    }
  }

  /// A connection is known, or over; both may be said.
  public synchronized void leave(Socket socket) {
    sockets.remove(socket);
    if (served.remove(socket)) {
      places.release();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed.
    }
  }
}
