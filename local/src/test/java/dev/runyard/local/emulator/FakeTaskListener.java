package dev.runyard.local.emulator;

import dev.runyard.testkit.threads.TestPatience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The test's side of the sockets of [FakeTask]s.
public final class FakeTaskListener implements AutoCloseable {
  private static final int WAIT_MILLIS = Math.toIntExact(TestPatience.LONG.toMillis());
  private final ServerSocket server;

  public FakeTaskListener() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setSoTimeout(WAIT_MILLIS);
  }

  public int port() {
    return server.getLocalPort();
  }

  /// Waits for one task to start.
  public Connection accept() throws IOException {
    Socket socket = server.accept();
    socket.setSoTimeout(WAIT_MILLIS);
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    Map<String, String> variables = new HashMap<>();
    for (String line = reader.readLine(); line != null && !line.equals("."); ) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        variables.put(line.substring(0, equals), line.substring(equals + 1));
      }
      line = reader.readLine();
    }
    return new Connection(socket, reader, variables);
  }

  /// A running task.
  public record Connection(Socket socket, BufferedReader reader, Map<String, String> variables)
      implements AutoCloseable {
    /// Waits until the task's process is gone.
    public void awaitEnd() throws IOException {
      if (reader.readLine() != null) {
        throw new AssertionError("the task says more than expected");
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
