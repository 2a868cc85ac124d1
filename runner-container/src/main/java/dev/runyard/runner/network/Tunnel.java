package dev.runyard.runner.network;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/// Carries bytes between two connections, both ways, until both sides have said everything or one
/// of them is gone.
record Tunnel(Socket one, Socket other) {
  private static final int BUFFER_BYTES = 16 * 1024;

  /// Returns once nothing goes through it any more.
  void carry() throws InterruptedException {
    Thread back = Thread.ofPlatform().daemon().name("tunnel").start(() -> carry(other, one));
    carry(one, other);
    back.join();
  }

  private void carry(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
      to.shutdownOutput();
    } catch (IOException _) {
      end(from);
      end(to);
    }
  }

  /// Closes a connection, whoever uses it.
  static void end(Closeable socket) {
    try {
      socket.close();
    } catch (IOException _) {
      return;
    }
  }
}
