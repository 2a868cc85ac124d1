package dev.runyard.runner.loopback;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
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

  /// A thread that is to end needs the processor for it, which nobody promises.
  @Test
  void waitForThoseThatGaveWayButAreNotOver() throws Exception {
    int connections = 10 * Strangers.SERVED_MAX;
    BlockingQueue<Runnable> threads = new LinkedBlockingQueue<>();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger open = new AtomicInteger();
    Strangers strangers = new Strangers();
    ServerSocket port = new Crowd(connections);
    Executor later =
        task -> {
          most.accumulateAndGet(open.incrementAndGet(), Math::max);
          threads.add(task);
        };
    Thread accepting =
        Thread.ofPlatform().daemon().start(() -> strangers.accept(port, later, strangers::leave));
    Deque<Runnable> waiting = new ArrayDeque<>();
    for (int ended = 0; ended < connections; ended++) {
      while (waiting.size() < Math.min(Strangers.SERVED_MAX, connections - ended)) {
        waiting.add(requireNonNull(threads.poll(TestPatience.LONG.toMillis(), MILLISECONDS)));
      }
      open.decrementAndGet();
      waiting.remove().run();
    }
    accepting.join();
    assertEquals(Strangers.SERVED_MAX, most.get());
  }

  /// A port to which so many connect; then it is closed.
  private static final class Crowd extends ServerSocket {
    private int left;

    Crowd(int connections) throws IOException {
      this.left = connections;
    }

    @Override
    public Socket accept() throws IOException {
      if (left-- == 0) {
        close();
        throw new SocketException("closed");
      }
      return new Socket();
    }
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
