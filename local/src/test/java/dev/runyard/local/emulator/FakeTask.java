package dev.runyard.local.emulator;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Replaces the runner: writes its variables to a socket, then lives until that socket closes. With
/// `FAKE_STUBBORN` it does not end when asked to.
public final class FakeTask {
  private FakeTask() {}

  public static void main(String[] args) throws IOException {
    Map<String, String> environment = System.getenv();
    int port = Integer.parseInt(environment.getOrDefault("FAKE_PORT", "0"));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
      if (environment.containsKey("FAKE_STUBBORN")) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> waitForEnd(socket)));
      }
      environment.forEach((name, value) -> out.println(name + "=" + value));
      out.println(".");
      waitForEnd(socket);
    }
    System.exit(Integer.parseInt(environment.getOrDefault("FAKE_EXIT", "0")));
  }

  private static void waitForEnd(Socket socket) {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      System.err.println("the socket broke: " + e);
    }
  }
}
