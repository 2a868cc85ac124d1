package dev.runyard.runner.loopback;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class StrangersTest {
  private static final int SERVED = 7;

  /// A thread that cannot be had is an error; nobody may take the port from all others with it.
  @Test
  void areStillTakenAfterThereWasNoThreadForOne() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Executor threads =
        task -> {
          if (asked.incrementAndGet() == 1) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          task.run();
        };
    Strangers strangers = new Strangers();
    Thread accepting;
    try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      accepting =
          Thread.ofPlatform()
              .daemon()
              .start(() -> strangers.accept(port, threads, StrangersTest::serve));
      assertEquals(-1, answer(port), "the connection without a thread is closed");
      assertEquals(SERVED, answer(port));
    }
    accepting.join();
  }

  private static int answer(ServerSocket port) throws IOException {
    try (Socket socket = new Socket(port.getInetAddress(), port.getLocalPort())) {
      socket.setSoTimeout((int) TestPatience.LONG.toMillis());
      return socket.getInputStream().read();
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      socket.getOutputStream().write(SERVED);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
