package dev.runyard.runner.loopback;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Connections to a port of the loopback address that have not yet said whose they are. Whoever
/// opens many of them and says nothing must not keep out others, so the oldest gives way to a new
/// one: who has something to say says it at once. Thread-safe.
public final class Strangers {
  /// How many there may be at a port.
  public static final int STRANGERS_MAX = 128;

  private final Deque<Socket> sockets = new ArrayDeque<>();

  /// A connection has begun.
  public void enter(Socket socket) {
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
