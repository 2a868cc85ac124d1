package dev.runyard.runner.loopback;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Connections to a port of the loopback address that have not yet said whose they are. Whoever
/// opens many of them and says nothing must not keep out others, so the oldest gives way to a new
/// one: who has something to say says it at once. Thread-safe.
public final class Strangers {
  /// How many there may be at a port.
  public static final int STRANGERS_MAX = 128;

  private static final Duration ACCEPT_PAUSE = Duration.ofMillis(10);

  private final Deque<Socket> sockets = new ArrayDeque<>();

  /// Takes the connections to a port until it is closed. Nothing else ends this, or the port would
  /// be lost to all: not a connection that failed before it was one, nor a machine that has no
  /// descriptor left or no thread, which is an error.
  ///
  /// @param threads serve one connection each
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
      threads.execute(() -> serve.accept(socket));
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
    @Nullable Socket oldest;
    synchronized (this) {
      sockets.add(socket);
      oldest = sockets.size() > STRANGERS_MAX ? sockets.remove() : null;
    }
    if (oldest != null) {
      close(oldest);
    }
  }

  /// A connection is known, or over.
  public synchronized void leave(Socket socket) {
    sockets.remove(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is closed.
    }
  }
}
